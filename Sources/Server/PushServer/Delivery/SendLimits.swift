import PushModel
import PushPayload

/// The limits that a notification or a campaign obeys: the app's, or its own.
struct SendLimits: Sendable {
  enum Quiet: Sendable {
    /// The app's quiet hours.
    case obey
    case ignore
    /// Hours in place of the app's.
    case own(QuietHours)
  }

  var quiet: Quiet
  var capping: Send.Capping

  /// Reads the `limits` of a request.
  ///
  /// `isObedient` says whether the app's limits apply if the request does not name them.
  init(_ field: BodyValue?, isObedient: Bool) throws(RequestError) {
    _ = try field?.object()
    quiet =
      try field?["quiet"].map { value throws(RequestError) in
        guard value.value.string != nil else { return .own(try QuietHours(value)) }
        return try value.word(of: ["obey", "ignore"]) == "obey" ? .obey : .ignore
      } ?? (isObedient ? .obey : .ignore)
    let obeysCaps =
      try field?["caps"].map { value throws(RequestError) in
        try value.word(of: ["obey", "ignore"]) == "obey"
      } ?? isObedient
    // A send that ignores the caps does not count for them, unless it says so.
    let counts = try field?["counts"]?.bool() ?? obeysCaps
    capping = []
    if obeysCaps { capping.insert(.obeys) }
    if counts { capping.insert(.counts) }
  }

  /// The quiet hours of a payload; `nil` if none apply to it.
  ///
  /// `limits` are those of the app.
  func quietHours(for payload: BodyValue?, of limits: AppLimits) -> QuietHours? {
    guard let payload, !payload.isUrgent else { return nil }
    return switch quiet {
    case .obey: limits.quiet
    case .ignore: nil
    case .own(let hours): hours
    }
  }
}

extension BodyValue {
  /// Whether the payload is to be shown at once, even if the user has silenced the phone.
  fileprivate var isUrgent: Bool {
    let level = (try? CallerPayload(self))?["interruption_level"]?.value.string
    return level == "time-sensitive" || level == "critical"
  }
}
