import PushPayload

/// An event of a person's time with an expanded notification, for the sender.
package struct TemplateEvent: Hashable, Sendable {
  /// The kind of event.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The notification was expanded.
    case viewed
    /// A page was looked at; ``TemplateEvent/duration`` is the time of all looks at it.
    case page
    /// A person rated, chose or answered; ``TemplateEvent/value`` has the answer.
    case answered
    /// A link was opened.
    case opened
    /// The face after the end of a countdown was seen.
    case expired
    /// The movie or sound was played.
    case played
  }

  package var kind: Kind
  /// The time in seconds since 1970.
  package var time: Double
  /// The index of the page, from 0.
  package var page: Int?
  /// The vendor's identifier of the page.
  package var pageID: String?
  /// The seconds that the page was visible, at most ``longestDuration``.
  package var duration: Double?
  /// The star, the choice's identifier, or the text, of at most `TemplateEventLimits.longestValue` characters.
  package var value: String?
  /// The link.
  package var link: String?

  package init(kind: Kind, time: Double) {
    self.kind = kind
    self.time = time
  }

  /// The longest duration of a page in seconds; a longer one means that the phone was left alone, or the clock was set.
  package static let longestDuration = Double(TemplateEventLimits.longestDwell)
}
