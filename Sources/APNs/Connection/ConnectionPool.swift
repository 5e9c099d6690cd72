import _HTTP2
import _HTTP2Channel

/// How many connections there are.
extension Transport {
  /// What the rule of the pool goes by.
  func load(at now: ContinuousClock.Instant) -> PoolRule.Load {
    let inUse = connections.values.filter(\.takesPushes)
    // One that does not answer its first push keeps no others from opening for ever.
    let isLate = { (connection: Connection) in
      connection.state.isStarting
        && connection.lastAnswered.duration(to: now) >= self.configuration.keepAlive.silence
    }
    let isStuck = !inUse.isEmpty && inUse.allSatisfy(isLate)
    return PoolRule.Load(
      waiting: queue.hasWaiting ? queue.waitingCount : 0, connections: inUse.count,
      isGrowing: attempt != nil || inUse.contains { $0.state.isStarting && !isLate($0) },
      rate: isStuck ? 0 : rate.perSecond(at: now))
  }

  /// Closes connections that have been idle beside others.
  func shrink(at now: ContinuousClock.Instant) {
    for connection in connections.values where connection.takesPushes && connection.state.isIdle {
      let count = connections.values.count { $0.takesPushes }
      if rule.spares(idleFor: connection.lastUsed.duration(to: now), of: count) {
        connection.state.retire("idle")
      }
    }
  }
}

extension Connection {
  /// Whether it is open and in use.
  var takesPushes: Bool { opening == nil && state.retirement == nil }

  /// Whether another push would leave at once: there is a stream, and the peer takes bytes.
  ///
  /// What it has no window for would wait here, where another connection cannot help.
  var hasRoom: Bool { hasRoom(for: 1) }

  /// Whether it takes a body whole.
  func hasRoom(for size: Int) -> Bool {
    state.canOpenStream && channel.session.remoteWindow >= max(1, size)
  }

  var room: PoolRule.Room {
    PoolRule.Room(
      window: channel.session.remoteWindow, inFlight: state.inFlightCount,
      isBlocked: channel.isBlocked)
  }

  /// When it last had something to do.
  var lastUsed: ContinuousClock.Instant { max(lastSent, lastAnswered) }
}
