/// What holds for all campaigns of an app.
package struct AppLimits: Hashable, Sendable {
  /// The people whom campaigns leave out; `nil` for none.
  package var holdout: Holdout?
  /// The hours in which campaigns send nothing; `nil` for none.
  package var quiet: QuietHours?
  /// How many pushes a device gets; each rule holds.
  package var caps: [FrequencyCap] = []
  package var approval = Approval.none

  package init() {}
}

extension AppLimits {
  /// What is sent only once somebody else has approved it.
  package enum Approval: String, CaseIterable, Sendable {
    case none
    /// Campaigns, which a second key or person approves.
    case required
    /// All that is sent: nothing but campaigns that one person has submitted and another one has approved.
    case everySend = "every_send"
  }
}

/// The hours of the day in which devices get no pushes, as the clock of each device shows them.
package struct QuietHours: Hashable, Sendable {
  /// What becomes of a push whose time is in the quiet hours.
  package enum Otherwise: String, CaseIterable, Sendable {
    /// It is sent when they end.
    case wait
    /// It is not sent.
    case drop
  }

  /// The minutes of a day.
  package static let dayLength = 1440

  /// The first minute, counted from midnight.
  package var from: Int
  /// The minute after the last one; not after ``from`` where the hours go over midnight.
  package var to: Int
  package var otherwise: Otherwise

  package init(from: Int, to: Int, otherwise: Otherwise) {
    (self.from, self.to, self.otherwise) = (from, to, otherwise)
  }

  /// The hours as they are stored: `1320-480 wait`.
  var text: String { "\(from)-\(to) \(otherwise.rawValue)" }

  /// Reads what ``text`` has written; `nil` for another text.
  init?(text: String) {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == " " })
    guard parts.count == 3, let from = Int(parts[0]), let to = Int(parts[1]),
      let otherwise = Otherwise(rawValue: String(parts[2])),
      (0..<Self.dayLength).contains(from), (0...Self.dayLength).contains(to)
    else { return nil }
    self.init(from: from, to: to, otherwise: otherwise)
  }
}
