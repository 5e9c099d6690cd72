import _EventLoop

/// The back-off of pushes that a peer refused.
///
/// A push whose connection is closing does not back off: another connection takes it at once.
extension Transport {
  /// Holds a refused push back for a moment before it is sent again.
  func backOff(_ push: PushReference) {
    if let end = deferred.add(push, at: .now) { scheduleResume(at: end) }
  }

  private func scheduleResume(at time: ContinuousClock.Instant) {
    _ = loop.schedule(at: time) { [weak self] in self?.assumeIsolated { $0.resumeDeferred() } }
  }

  private func resumeDeferred() {
    let (due, next) = deferred.popDue(at: .now)
    for push in due { putBack(push) }
    if let next { scheduleResume(at: next) }
    pump()
  }

  /// The reason why a push has no answer at its deadline: the number of refusals, or the thing that it waited for.
  func reasonForWaiting(_ push: PushReference, _ timeout: Duration) -> String {
    if let push = deferred.remove(PushKey(push)) {
      return SendQueue.refused(push.refusals + 1)
    }
    return reasonForWaiting(timeout)
  }
}
