/// A limit of an app that holds pushes back.
package enum SendLimit: Hashable, Sendable {
  /// The time was in the quiet hours of the device.
  case quiet

  /// The reason of the outcome of a device whose push was held back.
  package var reason: String {
    switch self {
    case .quiet: "Quiet"
    }
  }

  /// Reads the reason of an outcome; `nil` for any other reason.
  package init?(reason: String) {
    switch reason {
    case Self.quiet.reason: self = .quiet
    default: return nil
    }
  }
}
