/// A time span as an amount and its unit, as a form has it.
struct CampaignPeriod: Hashable, Sendable {
  enum Unit: String, CaseIterable, Sendable {
    case seconds, minutes, hours, days

    var length: Int {
      switch self {
      case .seconds: 1
      case .minutes: 60
      case .hours: 3600
      case .days: 86_400
      }
    }
  }

  var amount: String
  var unit: Unit

  init(amount: String, unit: Unit) { (self.amount, self.unit) = (amount, unit) }

  /// The period in its largest unit that needs no fraction.
  init(_ duration: Duration) {
    let seconds = Int(duration.components.seconds)
    unit = Unit.allCases.last { seconds % $0.length == 0 } ?? .seconds
    amount = String(seconds / unit.length)
  }

  /// The period in ISO 8601; an amount that is not a number stays as it is, so that the API refuses it.
  var iso8601: String {
    switch unit {
    case .seconds: "PT\(amount)S"
    case .minutes: "PT\(amount)M"
    case .hours: "PT\(amount)H"
    case .days: "P\(amount)D"
    }
  }

  /// The seconds of the period; `nil` unless the amount is a whole number from 0 to 100,000,000.
  var seconds: Int? {
    guard let number = Int(amount), (0...100_000_000).contains(number) else { return nil }
    return number * unit.length
  }

  /// Whether the API accepts the period: from a minute to 30 days.
  var isAllowed: Bool { isAllowed(60...2_592_000) }

  func isAllowed(_ range: ClosedRange<Int>) -> Bool { seconds.map(range.contains) ?? false }

  /// The period in words: `4 hours`, `1 day`.
  var words: String {
    "\(amount) \(amount == "1" ? String(unit.rawValue.dropLast()) : unit.rawValue)"
  }
}
