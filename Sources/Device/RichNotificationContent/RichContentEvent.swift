public import Foundation
import NotificationTemplates

/// An event of an expanded notification.
public struct RichContentEvent: Hashable, Sendable {
  /// The kind of event.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name, such as `page`.
    public let rawValue: String

    /// Creates a kind.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The notification was expanded.
    public static let viewed = Kind(rawValue: "viewed")
    /// A page was visible, for ``RichContentEvent/duration`` in all; once for each page, when the notification is collapsed.
    public static let page = Kind(rawValue: "page")
    /// The person rated, chose or answered.
    public static let answered = Kind(rawValue: "answered")
    /// A link was opened, or the app if there is no link.
    public static let opened = Kind(rawValue: "opened")
    /// The face after the end of a countdown was seen.
    public static let expired = Kind(rawValue: "expired")
    /// The movie or sound was played.
    public static let played = Kind(rawValue: "played")
  }

  /// The kind of event.
  public let kind: Kind
  /// The date of the event.
  public let date: Date
  /// The index of the page, from 0.
  public let page: Int?
  /// The identifier that the payload gives to the page.
  public let pageID: String?
  /// The time that the page was visible, in seconds.
  public let duration: TimeInterval?
  /// The star, the identifier of the choice, or the text, of at most 256 characters.
  public let value: String?
  /// The link.
  public let link: String?

  init(_ event: TemplateEvent) {
    kind = Kind(rawValue: event.kind.rawValue)
    date = Date(timeIntervalSince1970: event.time)
    page = event.page
    pageID = event.pageID
    duration = event.duration
    value = event.value
    link = event.link
  }
}
