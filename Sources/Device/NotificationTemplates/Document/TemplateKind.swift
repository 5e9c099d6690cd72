/// The kinds of expanded notifications.
package enum TemplateKind: String, Hashable, Sendable, CaseIterable {
  /// Texts alone.
  case text
  /// One picture with texts.
  case banner
  /// Pages that a person moves through, or that move by themselves.
  case carousel
  /// A countdown, and another face when it has ended.
  case timer
  /// A row of stars.
  case rating
  /// Products with pictures, prices and one button.
  case catalog
  /// A row of pictures, each with its link.
  case icons
  /// Texts, perhaps a picture, and buttons that the notification itself names.
  case actions
  /// One movie or sound.
  case media
  /// A web page.
  case web
  /// A field for an answer.
  case input
  /// A question with choices.
  case poll

  /// The range of the number of pages or items; `nil` if the kind has no pages.
  package var itemCount: ClosedRange<Int>? {
    switch self {
    case .carousel: 2...10
    case .catalog: 2...5
    case .icons: 3...5
    default: nil
    }
  }

  /// Whether a number of pages or items is enough for the kind.
  func hasEnough(_ count: Int) -> Bool { count >= itemCount?.lowerBound ?? 0 }
}

/// The largest values that are read from a payload; anything beyond them is cut off or left out, and reported.
package enum TemplateLimits {
  /// The characters of a title, a subtitle, a label or a price.
  package static let title = 256
  /// The characters of a body.
  package static let body = 2048
  /// The bytes of a URL.
  package static let url = 2048
  /// The characters of an identifier.
  package static let identifier = 128
  /// The styled parts of one text.
  package static let marks = 64
  /// The extra lines of a banner or a rating.
  package static let details = 4
  /// The buttons that a notification itself names, which is also the most that iOS shows.
  package static let buttons = 4
  /// The choices of a poll.
  package static let choices = 2...6
  /// The stars of a rating.
  package static let scale = 2...10
  /// The seconds between two pages.
  package static let advance = 0.5...60
  /// The height of a page divided by its width.
  package static let aspect = 0.1...3
  /// The seconds that a countdown lasts at most: 30 days.
  package static let duration = 2_592_000.0
  /// The bytes of ``NotificationTemplate/tracking``.
  package static let tracking = 1024
  /// The thickness of a border in points.
  package static let border = 0.0...10
  /// The radius of corners, and the space around pages, in points.
  package static let length = 0.0...50
}
