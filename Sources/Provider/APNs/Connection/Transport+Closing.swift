import _EventLoop
import _HTTP2Channel

/// Closing a transport, and changing its credentials.
extension Transport {
  /// Takes no more pushes, settles those that wait as never sent, and returns after the last answer.
  func close() async {
    closing.close()
    finishWaiting("the client was closed")
    await closed()
  }

  /// Takes no more pushes, and returns when all that were taken have their outcomes.
  func drain() async {
    closing.close()
    await closed()
  }

  /// Closes at once, for a client that was released: each push still gets its outcome.
  nonisolated func abandon() {
    _ = loop.schedule(at: .now) { [self] in
      assumeIsolated {
        $0.closing.close()
        $0.takeInbox()
        $0.giveUp($0.queue.open, "nobody holds the client any more")
      }
    }
  }

  private func closed() async {
    await withCheckedContinuation { closer in
      closing.add(closer)
      closeIfDone()
    }
  }

  /// Closes all connections, once the transport takes no more pushes and every push has its outcome.
  func closeIfDone() {
    guard closing.isClosed, queue.isEmpty else { return }
    connector.cancel()
    for (id, connection) in pool.connections {
      remove(id)
      // A connection that was still opening was never reported as open.
      if connection.openTimer == nil {
        configuration.metrics?.closed(connection: id, reason: "the client was closed")
      }
      connection.channel.close()
    }
    timers.cancelAll(on: loop)
    closing.resumeClosers()
  }

  /// Uses other credentials as ``use(_:)`` does, and returns when the connections that were open have had their last
  /// answers.
  func change(to identity: PoolIdentity) async {
    let open = use(identity).intersection(pool.connections.keys)
    await withCheckedContinuation { closing.add($0, waitingFor: open) }
  }

  /// Uses other credentials from now on; waiting pushes go out on new connections.
  ///
  /// - Returns: The connections that were open, which take no more pushes.
  func use(_ identity: PoolIdentity) -> Set<Int> {
    guard !closing.isClosed else { return [] }
    credentials.replace(with: identity)
    connector.cancel()
    var open: Set<Int> = []
    for (id, connection) in pool.connections {
      connection.state.retire("other credentials")
      if connection.openTimer == nil {
        open.insert(id)
      } else {
        remove(id)
        connection.channel.close()
      }
    }
    pump()
    return open
  }
}
