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

  /// Takes no push any more, and returns when those there are have their outcomes.
  func drain() async {
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

  /// Sends with other credentials from now on: what waits goes out with them, on new connections.
  ///
  /// Returns when the connections that were open have had their last answers.
  func change(to identity: PoolIdentity) async {
    guard !isClosed else { return }
    self.identity = identity
    (resumption, attempt, fruitless) = (nil, nil, 0)
    var open: Set<Int> = []
    for (id, connection) in connections {
      connection.state.retire("other credentials")
      if connection.opening == nil {
        open.insert(id)
      } else {
        forget(id)
        connection.channel.close()
      }
    }
    await withCheckedContinuation { continuation in
      leavers.append(Leaver(connections: open, continuation: continuation))
      noteEnd(of: nil)
      pump()
    }
  }

  /// Wakes those who waited for no other connection but one that has ended.
  func noteEnd(of id: Int?) {
    guard !leavers.isEmpty else { return }
    for index in leavers.indices.reversed() {
      if let id { leavers[index].connections.remove(id) }
      if leavers[index].connections.isEmpty { leavers.remove(at: index).continuation.resume() }
    }
  }

  /// Somebody who waits for the end of some connections.
  struct Leaver {
    var connections: Set<Int>
    let continuation: CheckedContinuation<Void, Never>
  }
}
