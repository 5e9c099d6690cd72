import PushPayload

extension LintRules {
  /// Rules about the sender of a communication notification, in Notifee's key `communicationInfo`.
  ///
  /// Source: Apple, "Implementing communication notifications", and Notifee's reference of `IOSCommunicationInfo`.
  static let communication: [LintRule] = [
    LintRule(
      "M526", .error, summary: "a payload with a sender has no mutable-content",
      why: """
        The app's service extension makes the communication notification, and it runs only where `aps` has \
        `mutable-content` 1. Without it people see the app's icon instead of the sender.
        """,
      bad: .init(example(#"{"alert": "See you at nine"}"#)), good: .init(example(mutable)),
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard subject.aps != nil, !subject.isMutable, subject.communication?.object != nil,
        subject.aps?["mutable_content"] == nil
      else { return [] }
      return [LintFinding(communicationPath, "is shown only with \"mutable-content\": 1")]
    },
    LintRule(
      "M527", .warning, summary: "the sender of a communication notification is incomplete",
      why: """
        A sender has an `id` and a `displayName`, both texts. Martlet's engine ignores a sender without them, and \
        the notification is an ordinary one.
        """,
      bad: .init(example(mutable, sender: #"{"displayName": "Ada"}"#)),
      good: .init(example(mutable)),
      fix: "give sender an id and a displayName"
    ) { subject in
      guard let info = subject.communication, !info.isNull else { return [] }
      guard let sender = info["sender"], sender.object != nil else {
        return [LintFinding(communicationPath, "has no sender")]
      }
      return ["id", "displayName"].filter { sender[$0]?.string?.isEmpty ?? true }
        .map { LintFinding("\(communicationPath).sender", "needs \($0), a text") }
    },
    LintRule(
      "M528", .note, summary: "a communication notification needs a capability of the app",
      why: """
        iOS shows the sender only for an app with the capability Communication Notifications and with \
        `INSendMessageIntent` in the `NSUserActivityTypes` of its Info.plist. `martlet doctor` examines both. \
        Martlet's engine needs `configuration.sender` too.
        """,
      bad: .init(example(mutable)),
      good: #"{"aps": {"alert": "See you at nine", "mutable-content": 1}}"#,
      fix: "add the capability to the app target, and INSendMessageIntent to NSUserActivityTypes"
    ) { subject in
      guard subject.communication?.object != nil else { return [] }
      return [
        LintFinding(
          communicationPath,
          "is shown only by an app with the capability Communication Notifications")
      ]
    },
  ]

  private static let communicationPath = "$.notifee_options.ios.communicationInfo"
  private static let mutable = #"{"alert": "See you at nine", "mutable-content": 1}"#

  private static func example(
    _ aps: String, sender: String = #"{"id": "ada", "displayName": "Ada"}"#
  ) -> String {
    let info = #"{"conversationId": "chess", "sender": \#(sender)}"#
    return #"{"aps": \#(aps), "notifee_options": {"ios": {"communicationInfo": \#(info)}}}"#
  }
}

extension LintSubject {
  /// The payload's description of a communication notification; `nil` if the payload has none.
  fileprivate var communication: JSONValue? {
    json?["notifee_options"]?["ios"]?["communicationInfo"]
  }
}
