/// Tells the day on which all devices seem to be gone from one on which some are.
///
/// A wrong key, topic or environment, and once in a while Apple's own fault, make tokens look dead
/// by the thousand. To believe that would throw an app's devices away. A send is watched from its first
/// batch on, and pauses; an app's sends of a device or two are watched together, by the hour, and go on.
package enum InvalidationGuard {
  /// What Apple answered to the devices of a batch, or of a send so far.
  package struct Tally: Hashable, Sendable {
    package var answered = 0
    package var invalid = 0

    package init(answered: Int = 0, invalid: Int = 0) {
      self.answered = answered
      self.invalid = invalid
    }

    package init(_ outcomes: [Outcome]) {
      answered = outcomes.count { $0.status != nil }
      invalid = outcomes.count { outcome in
        outcome.result == .uninstalled
          || outcome.result == .rejected && outcome.reason.map(reasons.contains) ?? false
      }
    }

    fileprivate var isAlarming: Bool {
      invalid >= least && Double(invalid) > share * Double(answered)
    }

    static func + (left: Tally, right: Tally) -> Tally {
      var sum = left
      sum.answered += right.answered
      sum.invalid += right.invalid
      return sum
    }
  }

  /// How far a send is trusted to tell which devices are gone.
  package enum Suspicion: Int, Sendable {
    case none
    /// It is paused, and what its last batches say is not believed.
    case raised
    /// A person has looked at it and resumed it: it is believed.
    case settled
  }

  /// So few invalid devices are never suspicious.
  package static let least = 50
  /// More than this share of those that Apple answered is.
  package static let share = 0.5

  /// APNs' own words.
  private static let reasons: Set = [
    "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered",
  ]

  /// Why a send must not go on: its newest batch says so, or all of it together, however small its
  /// batches are.
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

  /// Why a batch marks no device although its send may go on.
  ///
  /// Too many were invalid in the app's sends of this hour and the one before, this batch with them. It
  /// ends with these hours; so of devices that are gone indeed ``least`` less one are marked in two hours.
  static func doubt(batch: Tally, before: Tally) -> String? {
    let tally = before + batch
    guard tally.isAlarming else { return nil }
    return """
      \(tally.invalid) of \(tally.answered) devices were invalid in this hour and the one before; no \
      more are marked as gone. Check the app's key, bundle id and environment
      """
  }
}
