import _EventLoop

/// Pushes that a peer refused and that wait a little: with a refusal it asks for less.
///
/// Those of a connection that is closing do not rest; another takes them at once.
extension Transport {
  struct Deferred {
    let push: PushReference
    let end: ContinuousClock.Instant
  }

  func backOff(_ push: PushReference) {
    let end = ContinuousClock.now + PoolRule.backOff(afterRefusals: push.refusals + 1)
    deferred[PushKey(push)] = Deferred(push: push, end: end)
    if !isResumeScheduled { scheduleResume(at: end) }
  }

  private func scheduleResume(at time: ContinuousClock.Instant) {
    isResumeScheduled = true
    _ = loop.schedule(at: time) { [weak self] in self?.assumeIsolated { $0.resumeDeferred() } }
  }

  private func resumeDeferred() {
    isResumeScheduled = false
    // Those refused together go together.
    let now = ContinuousClock.now + .milliseconds(1)
    for (place, rest) in deferred where rest.end <= now {
      deferred[place] = nil
      putBack(rest.push)
    }
    if let next = deferred.values.map(\.end).min() { scheduleResume(at: next) }
    pump()
  }

  /// Why a push had no answer in time: what its last peers said, or what it waited for.
  func reasonForWaiting(_ push: PushReference, _ timeout: Duration) -> String {
    if let rest = deferred.removeValue(forKey: PushKey(push)) {
      return SendQueue.refused(rest.push.refusals + 1)
    }
    return reasonForWaiting(timeout)
  }
}
