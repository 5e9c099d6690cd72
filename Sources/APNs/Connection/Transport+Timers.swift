import _EventLoop
import _HTTP2
import _HTTP2Channel

/// Deadlines of pushes, and signs of life of connections.
extension Transport {
  func startDeadlineTimer() {
    guard deadlineTimer == nil, let deadline = queue.nextDeadline else { return }
    deadlineTimer = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated {
        $0.deadlineTimer = nil
        $0.expire()
        $0.startDeadlineTimer()
      }
    }
  }

  private func expire() {
    let now = ContinuousClock.now
    let timeout = configuration.requestTimeout
    let expired = queue.popExpired(now: now)
    guard !expired.isEmpty else { return }
    let places = Set(expired.map(PushKey.init))
    for connection in connections.values {
      let ended = connection.expire(places, "APNs did not answer within \(timeout)")
      for (push, result) in ended { finish(push, result) }
      // A peer that answered nothing for as long as a request may take, or gave no stream, is taken for
      // stuck, though it may well answer a PING.
      if !ended.isEmpty || !connection.state.canOpenStream,
        connection.lastAnswered + timeout <= now
      {
        connection.state.retire("APNs answered nothing for \(timeout)")
      }
    }
    for push in expired { finish(push, .neverSent(reasonForWaiting(push, timeout))) }
    pump()
  }

  /// Looks after connections often while answers are due, and seldom while none are.
  func startHeartbeat() {
    let isFast = connections.values.contains { !$0.state.isIdle }
    if let heartbeat {
      guard isFast, !heartbeat.isFast else { return }
      loop.cancel(heartbeat.timer)
      self.heartbeat = nil
    }
    guard !connections.isEmpty else { return }
    let keepAlive = configuration.keepAlive
    let shortest = min(keepAlive.silence, keepAlive.pingTimeout)
    let idle = min(.seconds(60), keepAlive.idle / 5, configuration.idleLimit / 5)
    let interval = isFast ? shortest / 5 : idle
    let timer = loop.schedule(at: .now + interval) { [weak self] in
      self?.assumeIsolated {
        $0.heartbeat = nil
        $0.checkKeepAlive()
      }
    }
    heartbeat = (timer, isFast)
  }

  private func checkKeepAlive() {
    let now = ContinuousClock.now
    for (id, connection) in connections where connection.channel.isOpen {
      switch connection.checkKeepAlive(at: now) {
      case .wait: break
      case .ping: connection.channel.session.submitPing()
      case .lost: lose(id, SilentPeer())
      }
    }
    shrink(at: now)
    pump()
  }
}

/// Why a connection whose peer answers no PING is given up.
private struct SilentPeer: Error, CustomStringConvertible {
  var description: String { "APNs sent nothing, and no answer to a PING" }
}
