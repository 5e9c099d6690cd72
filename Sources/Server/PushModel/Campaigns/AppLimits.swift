/// The limits of all campaigns of an app.
package struct AppLimits: Hashable, Sendable {
  /// The people whom campaigns leave out; `nil` if campaigns leave nobody out.
  package var holdout: Holdout?
  /// The hours in which campaigns send no pushes; `nil` if the app has no quiet hours.
  package var quiet: QuietHours?
  /// The frequency caps of a device, all of which hold.
  package var caps: [FrequencyCap] = []
  package var approval = Approval.none

  package init() {}
}

extension AppLimits {
  /// The sends that need somebody else's approval.
  package enum Approval: String, CaseIterable, Sendable {
    case none
    /// A second key or person approves each campaign.
    case required
    /// Only campaigns are sent, and only if one person has submitted and another has approved them.
    case everySend = "every_send"
  }
}

/// The hours of the day in which devices get no pushes, by each device's local time.
package struct QuietHours: Hashable, Sendable {
  /// The handling of a push whose time is in the quiet hours.
  package enum Otherwise: String, CaseIterable, Sendable {
    /// The push is sent when the quiet hours end.
    case wait
    /// The push is not sent.
    case drop
  }

  /// The number of minutes in a day.
  package static let dayLength = 1440

  /// The first minute of the quiet hours, counted from midnight.
  package var from: Int
  /// The minute after the last one, which is not after ``from`` if the hours include midnight.
  package var to: Int
  package var otherwise: Otherwise

  package init(from: Int, to: Int, otherwise: Otherwise) {
    (self.from, self.to, self.otherwise) = (from, to, otherwise)
  }

  /// The hours as they are stored: `1320-480 wait`.
  package var text: String { "\(from)-\(to) \(otherwise.rawValue)" }

  /// Parses ``text``; `nil` if the text is malformed.
  package init?(text: String) {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == " " })
    guard parts.count == 3, let from = Int(parts[0]), let to = Int(parts[1]),
      let otherwise = Otherwise(rawValue: String(parts[2])),
      (0..<Self.dayLength).contains(from), (0...Self.dayLength).contains(to)
    else { return nil }
    self.init(from: from, to: to, otherwise: otherwise)
  }
}
