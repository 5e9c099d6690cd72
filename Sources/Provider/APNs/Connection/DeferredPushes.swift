/// Pushes that a peer refused, each until its back-off has passed: with a refusal the peer asks for less.
struct DeferredPushes {
  private struct Deferred {
    let push: PushReference
    let end: ContinuousClock.Instant
  }

  private var pushes: [PushKey: Deferred] = [:]
  private var isTimerSet = false

  /// Adds a push.
  ///
  /// - Returns: The time at which ``popDue(at:)`` must be called; `nil` if a call is already scheduled.
  mutating func add(
    _ push: PushReference, at now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    let end = now + PoolRule.backOff(afterRefusals: push.refusals + 1)
    pushes[PushKey(push)] = Deferred(push: push, end: end)
    guard !isTimerSet else { return nil }
    isTimerSet = true
    return end
  }

  /// Removes the pushes whose back-off has passed, and says when to look for the next ones.
  mutating func popDue(
    at now: ContinuousClock.Instant
  ) -> (due: [PushReference], next: ContinuousClock.Instant?) {
    // A millisecond more lets pushes that were refused together be sent together.
    let limit = now + .milliseconds(1)
    var due: [PushReference] = []
    for (key, deferred) in pushes where deferred.end <= limit {
      pushes[key] = nil
      due.append(deferred.push)
    }
    let next = pushes.values.map(\.end).min()
    isTimerSet = next != nil
    return (due, next)
  }

  mutating func remove(_ key: PushKey) -> PushReference? { pushes.removeValue(forKey: key)?.push }
}
