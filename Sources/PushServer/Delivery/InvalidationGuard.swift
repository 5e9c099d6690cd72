import APNs
import PushStore

/// Tells the day on which all devices seem to be gone from one on which some are.
///
/// A wrong key, topic or environment, and once in a while Apple's own fault, make tokens look dead
/// by the thousand. To believe that would throw an app's devices away.
enum InvalidationGuard {
  /// So few invalid devices in one batch are never suspicious.
  static let least = 50
  /// More than this share of those that have an outcome is.
  static let share = 0.5

  private static let reasons: Set<String> = [
    APNsReason.badDeviceToken.rawValue, APNsReason.deviceTokenNotForTopic.rawValue,
    APNsReason.expiredToken.rawValue, APNsReason.unregistered.rawValue,
  ]

  /// Why the send must not go on, where a batch's outcomes say so.
  static func alarm(_ outcomes: [Outcome]) -> String? {
    let answered = outcomes.count { $0.status != nil }
    let invalid = outcomes.count { outcome in
      outcome.result == .uninstalled
        || outcome.result == .rejected && outcome.reason.map(reasons.contains) ?? false
    }
    guard invalid >= least, Double(invalid) > share * Double(answered) else { return nil }
    return """
      \(invalid) of \(answered) devices were invalid at once; none was marked as gone. Check the \
      app's key, bundle id and environment, then resume
      """
  }
}
