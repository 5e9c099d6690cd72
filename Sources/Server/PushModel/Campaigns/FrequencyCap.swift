/// A limit on the number of pushes to a device within a time.
package struct FrequencyCap: Hashable, Sendable {
  /// The most rules of an app.
  package static let ruleLimit = 5
  /// The greatest number of pushes that a rule can allow.
  package static let mostLimit = 50
  /// The longest time that a rule can cover.
  package static let longest = Duration.seconds(30 * 86_400)

  /// The most pushes to a device within the time.
  package var most: Int
  /// The time that the rule covers, up to any moment.
  package var within: Duration

  package init(most: Int, within: Duration) { (self.most, self.within) = (most, within) }

  /// The time in ISO 8601, in the largest unit that divides it: `P7D`.
  package var withinText: String {
    let seconds = within.components.seconds
    let units: [(length: Int64, before: String, after: String)] = [
      (86_400, "P", "D"), (3600, "PT", "H"), (60, "PT", "M"),
    ]
    let unit = units.first { seconds % $0.length == 0 } ?? (1, "PT", "S")
    return "\(unit.before)\(seconds / unit.length)\(unit.after)"
  }

  /// The rule as it is stored: `3/P7D`.
  package var text: String { "\(most)/\(withinText)" }

  /// Parses ``text``; `nil` if the text is malformed.
  package init?(text: some StringProtocol) {
    guard let match = String(text).wholeMatch(of: /(\d{1,3})\/(?:P(\d{1,4})D|PT(\d{1,7})([HMS]))/),
      let most = Int(match.1), let count = (match.2 ?? match.3).flatMap({ Int($0) })
    else { return nil }
    let length =
      switch match.4 {
      case "H": 3600
      case "M": 60
      case "S": 1
      default: 86_400
      }
    self.init(most: most, within: .seconds(count * length))
  }
}
