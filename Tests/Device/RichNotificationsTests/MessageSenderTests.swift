import PushPayload
import Testing

@testable import RichNotifications

@Suite("The sender of a message")
struct MessageSenderTests {
  static let payload: JSONValue = [
    "aps": ["alert": "Hi", "mutable-content": 1],
    "notifee_options": [
      "ios": [
        "communicationInfo": [
          "conversationId": "c1", "groupName": "Birds", "groupAvatar": "flock",
          "sender": ["id": "u1", "displayName": "Ada", "avatar": "https://a/ada.png"],
        ]
      ]
    ],
  ]

  @Test("Notifee's keys name person, conversation and group")
  func notifee() throws {
    let sender = try #require(MessageSender.notifee(Self.payload))
    #expect(sender.identifier == "u1")
    #expect(sender.name == "Ada")
    #expect(sender.conversation == "c1")
    #expect(sender.groupName == "Birds")
    #expect(sender.avatar == "https://a/ada.png")
    #expect(sender.groupAvatar == "flock")
  }

  @Test(
    "without an identifier or a name, or of wrong types, there is none",
    arguments: [
      [:], ["notifee_options": "x"], ["notifee_options": ["ios": ["communicationInfo": []]]],
      ["notifee_options": ["ios": ["communicationInfo": ["sender": ["id": "u1"]]]]],
      [
        "notifee_options": [
          "ios": ["communicationInfo": ["sender": ["id": "", "displayName": "Ada"]]]
        ]
      ],
      [
        "notifee_options": [
          "ios": ["communicationInfo": ["sender": ["id": 1, "displayName": "Ada"]]]
        ]
      ],
    ] as [JSONValue])
  func none(payload: JSONValue) {
    #expect(MessageSender.notifee(payload) == nil)
  }

  @Test("by default no sender is read")
  func configuration() {
    #expect(Sample.plan(Self.payload).content.sender == nil)
    var configuration = RichConfiguration()
    configuration.sender = MessageSender.notifee
    #expect(Sample.plan(Self.payload, configuration).content.sender?.name == "Ada")
  }

  @Test("a payload that cannot be decrypted has no sender")
  func encrypted() {
    var configuration = RichConfiguration()
    configuration.sender = MessageSender.notifee
    guard case .object(var members) = Self.payload else { return }
    members["_enc"] = "AAAA"
    #expect(Sample.plan(.object(members), configuration).content.sender == nil)
  }

  @Test("a notification of another category is unchanged")
  func restricted() {
    var configuration = RichConfiguration()
    configuration.sender = MessageSender.notifee
    let plan = Sample.plan(Self.payload, configuration, category: "other", categories: ["mine"])
    #expect(plan.content.sender == nil)
  }
}
