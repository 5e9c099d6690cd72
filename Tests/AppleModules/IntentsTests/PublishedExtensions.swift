import Foundation
import Intents
import Testing
@_spi(Host) import UserNotifications

// The code is our own, in the forms of published service extensions of messengers: a message with the sender's picture and
// the group's, donated first, and the reply in the donation's completion or right away.

private final class MessageService: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return contentHandler(request.content)
    }
    let info = content.userInfo
    let avatar = (info["avatar"] as? String).flatMap { Data(base64Encoded: $0) }
      .map { INImage(imageData: $0) }
    var components = PersonNameComponents()
    components.nickname = content.title
    let sender = INPerson(
      personHandle: INPersonHandle(value: info["from"] as? String, type: .unknown),
      nameComponents: components, displayName: content.title, image: avatar,
      contactIdentifier: nil, customIdentifier: info["from"] as? String, isMe: false,
      suggestionType: .none)
    let me = INPerson(
      personHandle: INPersonHandle(value: "", type: .unknown), nameComponents: nil,
      displayName: nil, image: nil, contactIdentifier: nil, customIdentifier: nil, isMe: true,
      suggestionType: .none)
    let group = info["group"] as? String
    let intent = INSendMessageIntent(
      recipients: group == nil ? nil : [me, sender], outgoingMessageType: .outgoingMessageText,
      content: content.body,
      speakableGroupName: group.map { INSpeakableString(spokenPhrase: $0) },
      conversationIdentifier: info["conversation"] as? String, serviceName: nil, sender: sender,
      attachments: nil)
    intent.setImage(avatar, forParameterNamed: group == nil ? \.sender : \.sender)
    if let avatar { intent.setImage(avatar, forParameterNamed: \.speakableGroupName) }
    let interaction = INInteraction(intent: intent, response: nil)
    interaction.direction = .incoming
    interaction.groupIdentifier = intent.conversationIdentifier
    interaction.donate { error in
      guard error == nil else { return contentHandler(content) }
      do {
        contentHandler(try content.updating(from: intent))
      } catch {
        contentHandler(content)
      }
    }
  }
}

@Suite("Code of published extensions with Intents")
struct PublishedIntentTests {
  private func reply(_ info: [AnyHashable: Any]) async -> UNNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = "Ann"
    content.body = "Hi"
    content.userInfo = info
    let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
    return await withCheckedContinuation { continuation in
      MessageService().didReceive(request) { reply in
        nonisolated(unsafe) let reply = reply
        continuation.resume(returning: reply)
      }
    }
  }

  @Test("a message becomes a communication notification with its texts")
  func message() async {
    let content = await reply(["from": "a@b.example", "conversation": "c1", "avatar": "AA=="])
    #expect(content.title == "Ann" && content.body == "Hi")
    #expect(
      content.communication == UNCommunication(sender: "Ann", group: nil, conversation: "c1"))
    let copy = content.copy() as? UNNotificationContent
    #expect(copy?.communication?.sender == "Ann")
  }

  @Test("a group has a name")
  func group() async {
    let content = await reply(["group": "Team"])
    #expect(content.communication?.group == "Team")
  }

  @Test("a call is a communication notification too, and the result can be changed")
  func call() throws {
    let caller = INPerson(
      personHandle: INPersonHandle(value: "+1", type: .phoneNumber), nameComponents: nil,
      displayName: nil, image: nil, contactIdentifier: nil, customIdentifier: nil)
    let intent = INStartCallIntent(
      callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown,
      destinationType: .normal, contacts: [caller], callCapability: .audioCall)
    let updated = try UNMutableNotificationContent().updating(from: intent)
    #expect(updated.communication?.sender == "+1" && updated is UNMutableNotificationContent)
  }

  @Test("a provider that is not of Intents is refused")
  func refused() {
    final class Provider: NSObject, UNNotificationContentProviding {}
    #expect(throws: UNError.self) { try UNNotificationContent().updating(from: Provider()) }
  }

  @Test("numbers are Apple's")
  func rawValues() {
    #expect(
      [INPersonHandleType.unknown, .emailAddress, .phoneNumber].map(\.rawValue) == [0, 1, 2])
    #expect(
      [INInteractionDirection.unspecified, .outgoing, .incoming].map(\.rawValue) == [0, 1, 2])
    #expect(
      [INOutgoingMessageType.unknown, .outgoingMessageText, .outgoingMessageAudio].map(\.rawValue)
        == [0, 1, 2])
    #expect(INPersonSuggestionType.instantMessageAddress.rawValue == 2)
    #expect(
      INCallDestinationType.callBack.rawValue == 5 && INCallCapability.videoCall.rawValue == 2)
  }

  @Test("the picture of a parameter is kept, and a donation may be awaited")
  func pictures() async throws {
    let intent = INSendMessageIntent(
      recipients: nil, content: "a", speakableGroupName: nil, conversationIdentifier: nil,
      serviceName: nil, sender: nil)
    let image = INImage(named: "avatar")
    intent.setImage(image, forParameterNamed: \.sender)
    #expect(intent.image(forParameterNamed: \.sender) === image)
    #expect(intent.image(forParameterNamed: \.speakableGroupName) == nil)
    try await INInteraction(intent: intent, response: nil).donate()
  }
}
