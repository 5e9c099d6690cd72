#if canImport(Darwin) && canImport(Intents) && canImport(UserNotifications) && !os(macOS) && !os(tvOS)
  import Foundation
  import Intents
  import PushPayload
  import UserNotifications

  extension MessageSender {
    /// The maximum size in bytes of a picture to read into memory; an extension has 24 MB of memory.
    private static let maximumAvatarBytes: Int64 = 1_000_000

    /// The content as a communication notification of this sender, or the unchanged content if the system
    /// refuses it.
    ///
    /// The app needs the capability "Communication Notifications", and `INSendMessageIntent` in its
    /// `NSUserActivityTypes`. The donation of the interaction is not awaited.
    ///
    /// Source: Apple, "Implementing communication notifications".
    func updating(
      _ content: UNNotificationContent, with media: [AttachedMedia]
    ) -> UNNotificationContent {
      let intent = intent(content.body, media)
      let interaction = INInteraction(intent: intent, response: nil)
      interaction.direction = .incoming
      interaction.donate(completion: nil)
      return (try? content.updating(from: intent)) ?? content
    }

    private func intent(_ body: String, _ media: [AttachedMedia]) -> INSendMessageIntent {
      let sender = person(identifier, Self.image(avatar, media))
      let intent = INSendMessageIntent(
        // The system shows a group only if there is more than one recipient.
        recipients: groupName.map { _ in [sender, person("others", nil)] },
        outgoingMessageType: .outgoingMessageText, content: body,
        speakableGroupName: groupName.map { INSpeakableString(spokenPhrase: $0) },
        conversationIdentifier: conversation ?? identifier, serviceName: nil, sender: sender,
        attachments: nil)
      if groupName != nil, let image = Self.image(groupAvatar, media) {
        intent.setImage(image, forParameterNamed: \.speakableGroupName)
      }
      return intent
    }

    private func person(_ identifier: String, _ image: INImage?) -> INPerson {
      INPerson(
        personHandle: INPersonHandle(value: identifier, type: .unknown), nameComponents: nil,
        displayName: name, image: image, contactIdentifier: nil, customIdentifier: identifier)
    }

    /// Returns an attached image, or one of the bundle.
    ///
    /// Nothing is fetched.
    private static func image(_ name: String?, _ media: [AttachedMedia]) -> INImage? {
      guard let name else { return nil }
      if let file = media.first(where: { $0.url == name }) {
        guard file.type.family == .image, file.bytes <= maximumAvatarBytes else { return nil }
        return (try? Data(contentsOf: file.file)).map { INImage(imageData: $0) }
      }
      return name.contains(":") ? nil : INImage(named: name)
    }
  }
#endif
