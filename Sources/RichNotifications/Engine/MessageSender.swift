public import PushPayload

/// Who a message is from, for a notification that shows a person and not just an app.
///
/// ```swift
/// configuration.sender = MessageSender.notifee
/// ```
///
/// Or a function of the app's own from the payload to this. Only Apple's systems show it, see
/// `Apple/CommunicationNotification.swift`.
public struct MessageSender: Hashable, Sendable {
  /// What names the person within the app.
  public var identifier: String
  /// What people call the person.
  public var name: String
  /// What names the conversation within the app; `nil` for the person's own.
  public var conversation: String?
  /// What the group is called; `nil` where two people talk.
  public var groupName: String?
  /// The person's picture: a URL that the payload asks to attach, or the name of a picture in the app's
  /// bundle.
  ///
  /// Nothing is fetched for its sake; another URL shows no picture.
  public var avatar: String?
  /// The group's picture, as ``avatar`` is.
  public var groupAvatar: String?

  /// Names a person.
  ///
  /// - Parameters:
  ///   - identifier: What names the person within the app.
  ///   - name: What people call the person.
  public init(identifier: String, name: String) {
    self.identifier = identifier
    self.name = name
  }

  /// Reads what Notifee's server libraries write: `notifee_options.ios.communicationInfo`.
  ///
  /// - Parameter payload: The whole payload; where it was encrypted, the inner one.
  /// - Returns: `nil` where it names no sender.
  @Sendable public static func notifee(_ payload: JSONValue) -> MessageSender? {
    let info = payload["notifee_options"]?["ios"]?["communicationInfo"]
    guard let sender = info?["sender"], let identifier = sender.text("id"),
      let name = sender.text("displayName")
    else { return nil }
    var result = MessageSender(identifier: identifier, name: name)
    result.conversation = info?.text("conversationId")
    result.groupName = info?.text("groupName")
    result.avatar = sender.text("avatar")
    result.groupAvatar = info?.text("groupAvatar")
    return result
  }
}

extension JSONValue {
  /// A text that says something.
  fileprivate func text(_ key: String) -> String? {
    guard let text = self[key]?.string, !text.isEmpty else { return nil }
    return text
  }
}
