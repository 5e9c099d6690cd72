/// The counts of actions in a send's expanded notification, as devices reported them.
package struct TemplateCounts: Hashable, Sendable {
  /// The counts of one page.
  package struct Page: Hashable, Sendable {
    /// The number of devices that showed the page.
    package var seen = 0
    /// The total number of seconds for which devices showed the page.
    package var seconds = 0
    /// The number of devices that opened the page's link.
    package var opened = 0

    package init(seen: Int = 0, seconds: Int = 0, opened: Int = 0) {
      self.seen = seen
      self.seconds = seconds
      self.opened = opened
    }

    /// The mean number of seconds for which a device showed the page, to a tenth; `nil` if no device showed it.
    package var meanDwell: Double? {
      seen > 0 ? (Double(seconds) * 10 / Double(seen)).rounded() / 10 : nil
    }
  }

  /// The most different values that are counted separately for a send.
  package static let maximumValues = 100

  /// The number of devices on which the notification was expanded.
  package var viewed = 0
  /// The number of devices with an answer, including answers without a known value.
  package var answered = 0
  /// The number of links that were opened, each counted once for a device and a page.
  package var opened = 0
  /// The number of devices that showed the face after the end of a countdown.
  package var expired = 0
  /// The number of devices that played the movie or sound.
  package var played = 0
  /// The pages by their index, from 0.
  package var pages: [Int: Page] = [:]
  /// The number of answers by their value: a star, or the identifier of a choice.
  package var values: [String: Int] = [:]
  /// The number of answers with further values, beyond ``maximumValues``.
  package var otherValues = 0

  package init() {}

  /// Whether no device has reported anything.
  package var isEmpty: Bool { self == TemplateCounts() }

  package mutating func add(_ count: Int, to tally: Tally, named name: String) {
    switch tally {
    case .templateViewed: viewed = count
    case .templateAnswered: answered = count
    case .templateExpired: expired = count
    case .templatePlayed: played = count
    case .templateOpened:
      opened += count
      if let page = Int(name) { pages[page, default: Page()].opened = count }
    case .templatePage: Int(name).map { pages[$0, default: Page()].seen = count }
    case .templateDwell: Int(name).map { pages[$0, default: Page()].seconds = count }
    case .templateValue: values[name] = count
    case .templateOtherValue: otherValues = count
    case .conversion, .mediaFailure, .purchase, .pushFailure, .revenue: break
    }
  }
}
