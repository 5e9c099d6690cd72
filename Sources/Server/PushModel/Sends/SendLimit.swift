/// A limit of an app that holds pushes back.
package enum SendLimit: Hashable, Sendable {
  /// The time was in the quiet hours of the device.
  case quiet
  /// The device has had as many pushes as a rule allows.
  case capped(FrequencyCap)

  private static let cappedPrefix = "Capped "

  /// The reason in the outcome of a push that the limit held back.
  package var reason: String {
    switch self {
    case .quiet: "Quiet"
    case .capped(let cap): Self.cappedPrefix + cap.text
    }
  }

  package var isCap: Bool {
    if case .capped = self { true } else { false }
  }

  /// Reads the reason of an outcome; `nil` if the reason is not a limit.
  package init?(reason: String) {
    switch reason {
    case Self.quiet.reason: self = .quiet
    default:
      guard reason.hasPrefix(Self.cappedPrefix),
        let cap = FrequencyCap(text: reason.dropFirst(Self.cappedPrefix.count))
      else { return nil }
      self = .capped(cap)
    }
  }
}
