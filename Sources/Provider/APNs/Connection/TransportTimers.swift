import _EventLoop

/// The timers of a transport that are set: the next deadline of a batch, and the next check of connections.
struct TransportTimers {
  private var deadline: EventLoop.Registration?
  private var heartbeat: (timer: EventLoop.Registration, isFast: Bool)?

  var hasDeadline: Bool { deadline != nil }

  mutating func setDeadline(_ timer: EventLoop.Registration) { deadline = timer }
  mutating func deadlineFired() { deadline = nil }

  /// Whether a heartbeat must be set, because none is; a slow one is cancelled first if a fast one is needed.
  mutating func needsHeartbeat(isFast: Bool, on loop: EventLoop) -> Bool {
    guard let heartbeat else { return true }
    guard isFast, !heartbeat.isFast else { return false }
    loop.cancel(heartbeat.timer)
    self.heartbeat = nil
    return true
  }

  mutating func setHeartbeat(_ timer: EventLoop.Registration, isFast: Bool) {
    heartbeat = (timer, isFast)
  }
  mutating func heartbeatFired() { heartbeat = nil }

  mutating func cancelAll(on loop: EventLoop) {
    for timer in [deadline, heartbeat?.timer].compactMap(\.self) { loop.cancel(timer) }
    deadline = nil
    heartbeat = nil
  }
}
