import _EventLoop
import _HTTP2
import _HTTP2Channel

// MARK: Faults

extension SandboxWorker {
  /// Applies the faults of a request that affect its connection, and returns the others.
  func applyFaults(
    of request: SandboxRequest, stream: Int32, id: Int, connection: SandboxConnection
  ) -> [Fault] {
    let due = shared.script.onRequest(request)
    if due.isEmpty { return [] }
    for due in due where due.fault.affectsConnection {
      if case .refuseConnections = due.fault.kind {
        // This thread's connections are reset at once; the server resets the others and closes the port.
        resetAll()
        onRefusal(due.lasting)
      } else {
        apply(due, stream: stream, id: id, connection: connection)
      }
    }
    return due.map(\.fault).filter { !$0.affectsConnection }
  }

  /// Applies a fault to all connections.
  func apply(_ due: FaultScriptState.Due) {
    for (id, connection) in connections {
      apply(due, stream: connection.latestStream, id: id, connection: connection)
      if connections[id] != nil { flush(id, connection) }
    }
  }

  /// Closes all connections with a TCP reset.
  func resetAll() {
    for (id, connection) in connections {
      connection.channel.socket.resetOnClose()
      remove(id)
    }
  }

  private func apply(
    _ due: FaultScriptState.Due, stream: Int32, id: Int, connection: SandboxConnection
  ) {
    let session = connection.channel.session
    switch due.fault.kind {
    case .goAway(let last, let reason, let code):
      let unprocessed = connection.goAway(
        reason, lastStream: last ?? stream, code: HTTP2ErrorCode(rawValue: code),
        drainTime: due.lasting ?? SandboxConnection.defaultDrainTime)
      for (stream, delayed) in unprocessed {
        record(delayed.request, answer: nil, stream: stream, id: id, now: delayed.time)
      }
    case .settings(let limit, let window):
      session.submitSettings(streamLimit: limit, initialWindow: window)
      undo(after: due.lasting, id: id) {
        [limit = shared.configuration.maxStreams] worker, connection in
        connection.channel.session.submitSettings(
          streamLimit: due.fault.changesLimit ? UInt32(clamping: limit) : nil,
          initialWindow: window == nil ? nil : 65_535)
        worker.flush(id, connection)
      }
    case .drop:
      connection.channel.socket.resetOnClose()
      remove(id)
    case .halfOpen:
      connection.isSilent = true
      connection.isDead = due.lasting == nil
      loop.change(connection.registration, to: [])
      undo(after: due.lasting, id: id) { worker, connection in
        connection.isSilent = false
        connection.watchedInterest = .read
        worker.loop.change(connection.registration, to: .read)
        worker.flush(id, connection)
      }
    case .garbage(let frame): session.submitRaw(frame.bytes(stream: stream))
    case .refuseConnections, .stall, .resetStream, .answer, .latency: break
    }
  }

  /// Ends a fault after its duration; one without a duration lasts.
  private func undo(
    after duration: Duration?, id: Int,
    _ undo: @escaping @Sendable (isolated SandboxWorker, SandboxConnection) -> Void
  ) {
    guard let duration else { return }
    perform(at: .now + duration) { worker in
      if let connection = worker.connections[id] { undo(worker, connection) }
    }
  }
}

extension Fault {
  fileprivate var changesLimit: Bool {
    if case .settings(.some, _) = kind { true } else { false }
  }
}
