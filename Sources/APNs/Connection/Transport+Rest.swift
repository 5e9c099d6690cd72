import _EventLoop

/// Pushes that a peer refused and that wait a little: with a refusal it asks for less.
///
/// Those of a connection that is closing do not rest; another takes them at once.
extension Transport {
  struct Resting {
    let push: PushReference
    let end: ContinuousClock.Instant
  }

  func rest(_ push: PushReference) {
    let end = ContinuousClock.now + PoolRule.rest(afterRefusals: push.refusals + 1)
    resting[PushPlace(push)] = Resting(push: push, end: end)
    if !isRestTimed { wakeResting(at: end) }
  }

  private func wakeResting(at time: ContinuousClock.Instant) {
    isRestTimed = true
    _ = loop.schedule(at: time) { [weak self] in self?.assumeIsolated { $0.endRest() } }
  }

  private func endRest() {
    isRestTimed = false
    // Those refused together go together.
    let now = ContinuousClock.now + .milliseconds(1)
    for (place, rest) in resting where rest.end <= now {
      resting[place] = nil
      putBack(rest.push)
    }
    if let next = resting.values.map(\.end).min() { wakeResting(at: next) }
    pump()
  }

  /// Why a push had no answer in time: what its last peers said, or what it waited for.
  func reasonForWaiting(_ push: PushReference, _ timeout: Duration) -> String {
    if let rest = resting.removeValue(forKey: PushPlace(push)) {
      return SendQueue.refused(rest.push.refusals + 1)
    }
    return reasonForWaiting(timeout)
  }
}
