import PushPayload
import PushStore

/// Which of the app's limits a notification or a campaign obeys.
struct SendLimits: Sendable {
  enum Quiet: Sendable {
    /// The app's quiet hours.
    case obey
    case ignore
    /// Hours in place of the app's.
    case own(QuietHours)
  }

  var quiet: Quiet

  /// Reads the `limits` of a request.
  ///
  /// `defaultQuiet` is what holds where they do not name quiet hours.
  init(_ field: BodyValue?, defaultQuiet: Quiet) throws(APIError) {
    quiet =
      try field?["quiet"].map { value throws(APIError) in
        guard value.value.string != nil else { return .own(try QuietHours(value)) }
        return try value.word(of: ["obey", "ignore"]) == "obey" ? .obey : .ignore
      } ?? defaultQuiet
  }

  /// The quiet hours of a payload; `nil` where it has none.
  ///
  /// `limits` are those of the app.
  func quietHours(for payload: BodyValue, of limits: AppLimits) -> QuietHours? {
    if payload.isUrgent { return nil }
    return switch quiet {
    case .obey: limits.quiet
    case .ignore: nil
    case .own(let hours): hours
    }
  }
}

extension BodyValue {
  /// Whether the payload is to be shown at once, also where the user has silenced the phone.
  fileprivate var isUrgent: Bool {
    let level = value["interruption_level"]?.string
    return level == "time-sensitive" || level == "critical"
  }
}
