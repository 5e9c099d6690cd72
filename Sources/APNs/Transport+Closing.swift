import _EventLoop
import _HTTP2Channel

/// How a pool ends.
extension Transport {
  /// Takes no push any more, drops those that wait, and returns when the answers due have come.
  func close() async {
    isClosed = true
    finishWaiting("the client was closed")
    await ended()
  }

  /// Leaves what comes from now on to another, and returns when all that came before has its outcome.
  func drain(to successor: Transport) async {
    self.successor = successor
    isClosed = true
    await ended()
  }

  /// Ends everything at once, for a client that is gone: each push still has its outcome.
  nonisolated func abandon() {
    _ = loop.schedule(at: .now) { [self] in
      assumeIsolated {
        $0.isClosed = true
        $0.takeInbox()
        $0.giveUp($0.queue.open, "nobody holds the client any more")
      }
    }
  }

  private func ended() async {
    await withCheckedContinuation { closer in
      closers.append(closer)
      closeIfDone()
    }
  }

  func closeIfDone() {
    guard isClosed, queue.isEmpty else { return }
    attempt = nil
    for (id, connection) in connections {
      forget(id)
      // One that was still opening was never counted as open.
      if connection.opening == nil {
        configuration.metrics?.closed(connection: id, reason: "the client was closed")
      }
      connection.channel.close()
    }
    for timer in [deadlineTimer, heartbeat?.timer].compactMap(\.self) { loop.cancel(timer) }
    for closer in closers { closer.resume() }
    closers = []
  }
}
