/// A date relative to now, such as seven days ago.
///
/// An audience stores it as text and evaluates it each time. A day has 24 hours and a week seven
/// days; months and years differ in length and are not supported.
package struct RelativeDate: Hashable, Sendable {
  package enum Unit: String, CaseIterable, Sendable {
    case minute, hour, day, week

    var milliseconds: Int64 {
      switch self {
      case .minute: 60_000
      case .hour: 3_600_000
      case .day: 86_400_000
      case .week: 604_800_000
      }
    }

    /// The unit in ``RelativeDate/text``: "m", "h", "d" or "w".
    package var letter: String { String(rawValue.prefix(1)) }
  }

  /// The number of units; negative for a date in the past.
  package var count: Int64
  package var unit: Unit

  /// The greatest absolute value of ``count``, which is more than 1900 years in weeks.
  private static let limit: Int64 = 100_000

  /// Parses "-7d", "+2h", "7 days ago", "in 2 hours" or "now"; `nil` if the text has none of these forms.
  package init?(_ text: String) {
    let text = text.lowercased()
    guard text.utf8.count <= 32 else { return nil }
    if text == "now" {
      (count, unit) = (0, .day)
      return
    }
    let words = text.split(separator: " ")
    let count: Substring
    let unit: Unit?
    var isPast = false
    if words.count == 1, text.hasPrefix("-") || text.hasPrefix("+") {
      isPast = text.hasPrefix("-")
      count = text.dropFirst().dropLast()
      unit = Unit.allCases.first { text.hasSuffix($0.letter) }
    } else if words.count == 3, words[2] == "ago" || words[0] == "in" {
      isPast = words[2] == "ago"
      count = isPast ? words[0] : words[1]
      let name = isPast ? words[1] : words[2]
      unit = Unit.allCases.first { name == $0.rawValue || name == $0.rawValue + "s" }
    } else {
      return nil
    }
    guard let unit, !count.isEmpty, count.utf8.allSatisfy({ 48...57 ~= $0 }),
      let number = Int64(count), number <= Self.limit
    else { return nil }
    self.count = isPast ? -number : number
    self.unit = unit
  }

  /// The short form, "-7d", whichever form was parsed.
  package var text: String { (count < 0 ? "" : "+") + "\(count)" + unit.letter }

  /// The date relative to a time.
  package func time(from now: Timestamp) -> Timestamp {
    now + .milliseconds(count * unit.milliseconds)
  }
}
