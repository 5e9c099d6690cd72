/// A date told from now: seven days ago, in two hours.
///
/// It is kept as it was written, and means something else each time an audience is evaluated. A day
/// has 24 hours, a week seven days; months and years differ in length and are not taken.
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

    /// `m`, `h`, `d`, `w`.
    var letter: String { String(rawValue.prefix(1)) }
  }

  /// Negative in the past.
  package var count: Int64
  package var unit: Unit

  /// The most of any unit, either way: weeks of that are more than nineteen hundred years.
  private static let limit: Int64 = 100_000

  /// Reads `-7d`, `+2h`, `7 days ago`, `in 2 hours` and `now`.
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

  /// `-7d`: one spelling for all.
  package var text: String { (count < 0 ? "" : "+") + "\(count)" + unit.letter }

  package func time(from now: Timestamp) -> Timestamp {
    now + .milliseconds(count * unit.milliseconds)
  }
}
