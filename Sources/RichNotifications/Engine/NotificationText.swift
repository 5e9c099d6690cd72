/// The three texts of a notification.
public struct NotificationText: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line.
  public var subtitle: String
  /// The text.
  public var body: String

  /// Makes the texts.
  ///
  /// - Parameters:
  ///   - title: The first line.
  ///   - subtitle: The second line.
  ///   - body: The text.
  public init(title: String = "", subtitle: String = "", body: String = "") {
    self.title = title
    self.subtitle = subtitle
    self.body = body
  }

  /// Replaces what a payload overrides; an absent or empty text never replaces one that is there.
  mutating func override(title: String?, subtitle: String?, body: String?) {
    func replace(_ text: inout String, with new: String?) {
      if let new, !new.isEmpty { text = new }
    }
    replace(&self.title, with: title)
    replace(&self.subtitle, with: subtitle)
    replace(&self.body, with: body)
  }
}
