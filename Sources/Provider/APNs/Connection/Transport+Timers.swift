import _EventLoop
import _HTTP2
import _HTTP2Channel

/// The deadlines of pushes, and the checks of silent and idle connections.
extension Transport {
  /// Sets the timer for the next deadline of a batch, unless it is set.
  func startDeadlineTimer() {
    guard !timers.hasDeadline, let deadline = queue.nextDeadline else { return }
    timers.setDeadline(
      loop.schedule(at: deadline) { [weak self] in
        self?.assumeIsolated {
          $0.timers.deadlineFired()
          $0.expire(at: .now)
          $0.startDeadlineTimer()
        }
      })
  }

  /// Ends the pushes whose deadline has passed.
  func expire(at now: ContinuousClock.Instant) {
    let timeout = configuration.requestTimeout
    let expired = queue.popExpired(now: now)
    guard !expired.isEmpty else { return }
    let keys = Set(expired.map(PushKey.init))
    for connection in pool.connections.values {
      let ended = connection.expire(keys, "APNs did not answer within \(timeout)")
      for (push, result) in ended { finish(push, result) }
      // A peer that answered nothing, or gave no stream, for as long as a request may take counts as stuck, even
      // if it answers PINGs.
      if !ended.isEmpty || !connection.hasRoom,
        connection.lastAnswered + timeout <= now
      {
        connection.state.retire("APNs answered nothing for \(timeout)")
      }
    }
    for push in expired { finish(push, .neverSent(reasonForWaiting(push, timeout))) }
    pump()
  }

  /// Sets the timer for the next check of connections: often while answers are due, seldom while none are.
  func startHeartbeat() {
    let isFast = !pool.isIdle
    guard timers.needsHeartbeat(isFast: isFast, on: loop), !pool.connections.isEmpty else { return }
    let keepAlive = configuration.keepAlive
    let shortest = min(keepAlive.silence, keepAlive.pingTimeout)
    let idle = min(.seconds(60), keepAlive.idle / 5, configuration.idleLimit / 5)
    let interval = isFast ? shortest / 5 : idle
    let timer = loop.schedule(at: .now + interval) { [weak self] in
      self?.assumeIsolated {
        $0.timers.heartbeatFired()
        $0.checkKeepAlive()
      }
    }
    timers.setHeartbeat(timer, isFast: isFast)
  }

  private func checkKeepAlive() {
    let now = ContinuousClock.now
    for (id, connection) in pool.connections where connection.channel.isOpen {
      switch connection.checkKeepAlive(at: now) {
      case .wait: break
      case .ping: connection.channel.session.submitPing()
      case .lost: lose(id, SilentPeer())
      }
    }
    pool.retireIdle(at: now)
    pump()
  }
}

/// The error of a connection whose peer did not answer a PING.
private struct SilentPeer: Error, CustomStringConvertible {
  var description: String { "APNs sent nothing, and no answer to a PING" }
}
