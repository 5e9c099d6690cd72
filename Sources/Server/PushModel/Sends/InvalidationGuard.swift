/// A detector of sends for which APNs calls implausibly many devices invalid.
///
/// A wrong key, topic or environment, and at times a fault of APNs, makes thousands of valid tokens look
/// unregistered. Marking their devices as gone would lose an app's devices. A send with such outcomes pauses. To
/// cover sends to few devices, an app's sends are also watched together by the hour: these go on, but mark no device
/// as gone.
package enum InvalidationGuard {
  /// The answers of APNs for the devices of a batch, or for those of a send so far.
  package struct Tally: Hashable, Sendable {
    /// The number of devices for which APNs answered.
    package var answered = 0
    /// The number of devices whose token APNs called invalid.
    package var invalid = 0

    package init(answered: Int = 0, invalid: Int = 0) {
      self.answered = answered
      self.invalid = invalid
    }

    package init(_ groups: [OutcomeGroup]) {
      answered = groups.count { $0.status != nil }
      invalid = groups.count { end in
        end.result == .uninstalled
          || end.result == .rejected && end.reason.map(reasons.contains) ?? false
      }
    }

    fileprivate var isAlarming: Bool {
      invalid >= least && Double(invalid) > share * Double(answered)
    }

    package static func + (left: Tally, right: Tally) -> Tally {
      var sum = left
      sum.answered += right.answered
      sum.invalid += right.invalid
      return sum
    }
  }

  /// Whether the outcomes of a send may mark devices as gone.
  package enum Suspicion: Int, Sendable {
    /// No outcomes were implausible so far: they may mark devices.
    case none
    /// An alarm has paused the send: its outcomes mark no devices.
    case raised
    /// A person has resumed the send after an alarm: its outcomes mark devices again.
    case settled
  }

  /// The least number of invalid devices that can be implausible.
  package static let least = 50
  /// The share of invalid devices, among those that APNs answered for, above which they are
  /// implausible.
  package static let share = 0.5

  /// The reasons with which APNs reports an invalid token.
  private static let reasons: Set = [
    "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered",
  ]

  /// The reason to pause a send, found in its newest batch or in all its batches together; `nil` if it may go on.
  ///
  /// `before` are the answers for the earlier batches of the send.
  package static func alarm(batch: Tally, before: Tally = Tally()) -> String? {
    let tallies = [batch, before + batch]
    guard let tally = tallies.first(where: \.isAlarming) else { return nil }
    let earlier = tally.invalid - batch.invalid
    let marks = earlier == 0 ? "none was marked as gone" : "at most \(earlier) were marked as gone"
    return """
      \(tally.invalid) of \(tally.answered) devices were invalid at once; \(marks). Check the \
      app's key, bundle id and environment, then resume
      """
  }

  /// The reason for which a batch marks no device as gone although its send goes on; `nil` if it may mark devices.
  ///
  /// The reason is that the app's sends of this and the previous hour, including this batch, have implausibly many
  /// invalid devices. Even if these are really gone, fewer than ``least`` of them are therefore marked in two hours.
  ///
  /// `before` are the answers for the app's earlier batches in these hours.
  package static func doubt(batch: Tally, before: Tally) -> String? {
    let tally = before + batch
    guard tally.isAlarming else { return nil }
    return """
      \(tally.invalid) of \(tally.answered) devices were invalid in this hour and the one before; no \
      more are marked as gone. Check the app's key, bundle id and environment
      """
  }
}
