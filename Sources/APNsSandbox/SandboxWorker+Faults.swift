import _EventLoop
import _HTTP2
import _HTTP2Channel

// MARK: Faults

extension SandboxWorker {
  /// Commits what a request meets of its connection's faults, and returns those of its own.
  func meet(
    _ request: SandboxRequest, _ stream: Int32, _ id: Int, _ connection: SandboxConnection
  ) -> [Fault] {
    let due = shared.script.onRequest(request)
    if due.isEmpty { return [] }
    for due in due where due.fault.isOfConnection {
      if case .refuseConnections = due.fault.kind {
        // Its own at once; the others', and the port, are the server's.
        dropAll()
        onRefusal(due.lasting)
      } else {
        commit(due, stream, id, connection)
      }
    }
    return due.map(\.fault).filter { !$0.isOfConnection }
  }

  /// Commits what befalls all connections.
  func commit(_ due: FaultScriptState.Due) {
    for (id, connection) in connections {
      commit(due, connection.latestStream, id, connection)
      if connections[id] != nil { flush(id, connection) }
    }
  }

  /// Takes all connections away.
  func dropAll() {
    for (id, connection) in connections {
      connection.channel.socket.resetOnClose()
      forget(id)
    }
  }

  private func commit(
    _ due: FaultScriptState.Due, _ stream: Int32, _ id: Int, _ connection: SandboxConnection
  ) {
    let session = connection.channel.session
    switch due.fault.kind {
    case .goAway(let last, let reason, let code):
      let disclaimed = connection.goAway(
        reason, lastStream: last ?? stream, code: HTTP2ErrorCode(rawValue: code))
      for (stream, due) in disclaimed { record(due.request, stream, id, nil, now: due.time) }
    case .settings(let limit, let window):
      session.submitSettings(streamLimit: limit, initialWindow: window)
      after(due.lasting, id) { [limit = shared.configuration.maxStreams] worker, connection in
        connection.channel.session.submitSettings(
          streamLimit: due.fault.changesLimit ? UInt32(clamping: limit) : nil,
          initialWindow: window == nil ? nil : 65_535)
        worker.flush(id, connection)
      }
    case .drop:
      connection.channel.socket.resetOnClose()
      forget(id)
    case .halfOpen:
      connection.isSilent = true
      connection.isDead = due.lasting == nil
      loop.change(connection.watch, to: [])
      after(due.lasting, id) { worker, connection in
        connection.isSilent = false
        connection.watched = .read
        worker.loop.change(connection.watch, to: .read)
        worker.flush(id, connection)
      }
    case .garbage(let garbage): session.submitRaw(garbage.bytes(stream: stream))
    case .refuseConnections, .stall, .resetStream, .answer, .latency: break
    }
  }

  private func after(
    _ duration: Duration?, _ id: Int,
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
