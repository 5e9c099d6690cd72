public import PushPayload

/// The sender of a message, for a communication notification.
///
/// ```swift
/// configuration.sender = MessageSender.notifee
/// ```
///
/// Set ``RichConfiguration/sender`` to ``notifee(_:)`` or to a function of the app. The sender is shown on
/// Apple platforms only.
public struct MessageSender: Hashable, Sendable {
  /// The person's identifier within the app.
  public var identifier: String
  /// The person's display name.
  public var name: String
  /// The conversation's identifier within the app; `nil` uses the person's.
  public var conversation: String?
  /// The group's name; `nil` for a conversation of two people.
  public var groupName: String?
  /// The person's picture: a URL that the payload also requests as media, or the name of an image in the
  /// app's bundle.
  ///
  /// A URL that is not among the attached media shows no picture.
  public var avatar: String?
  /// The group's picture, in the same form as ``avatar``.
  public var groupAvatar: String?

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - identifier: The person's identifier within the app.
  ///   - name: The person's display name.
  public init(identifier: String, name: String) {
    self.identifier = identifier
    self.name = name
  }

  /// Reads the sender from Notifee's key `notifee_options.ios.communicationInfo`.
  ///
  /// - Parameter payload: The whole payload; the decrypted one if it was encrypted.
  /// - Returns: The sender; `nil` if the payload names none.
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
  /// The string under a key; `nil` if it is absent or empty.
  fileprivate func text(_ key: String) -> String? {
    guard let text = self[key]?.string, !text.isEmpty else { return nil }
    return text
  }
}
