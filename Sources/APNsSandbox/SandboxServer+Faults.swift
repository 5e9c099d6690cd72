import _EventLoop
import _HTTP2
import _HTTP2Channel

// MARK: Faults

extension SandboxServer {
  /// Begins a script.
  func run(_ script: FaultScript) {
    for timer in scriptTimers { loop.cancel(timer) }
    self.script = FaultScriptState(script)
    scriptStart = .now
    requestCount = 0
    // What is due at once has happened when the script has begun.
    reach(.zero)
    scriptTimers = self.script.moments.filter { $0 > .zero }.map { moment in
      loop.schedule(at: scriptStart + moment) { [weak self] in
        self?.assumeIsolated { $0.reach(moment) }
      }
    }
  }

  /// Commits what a request meets of its connection's faults, and returns those of its own.
  func meet(
    _ request: SandboxRequest, _ stream: Int32, _ id: Int, _ connection: SandboxConnection
  ) -> [Fault] {
    let due = script.onRequest(
      requestCount, token: request.token ?? "", elapsed: .now - scriptStart)
    for due in due where due.fault.isOfConnection {
      if case .refuseConnections = due.fault.kind {
        refuseConnections(due.lasting)
      } else {
        commit(due, stream, id, connection)
      }
    }
    return due.map(\.fault).filter { !$0.isOfConnection }
  }

  /// Commits what befalls all connections at a time.
  private func reach(_ moment: Duration) {
    for due in script.onTime(moment) {
      if case .refuseConnections = due.fault.kind {
        refuseConnections(due.lasting)
        continue
      }
      for (id, connection) in connections {
        commit(due, connection.latestStream, id, connection)
        if connections[id] != nil { flush(id, connection) }
      }
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
      after(due.lasting, id) { [limit = configuration.maxStreams] server, connection in
        connection.channel.session.submitSettings(
          streamLimit: due.fault.changesLimit ? UInt32(clamping: limit) : nil,
          initialWindow: window == nil ? nil : 65_535)
        server.flush(id, connection)
      }
    case .drop:
      connection.channel.socket.resetOnClose()
      forget(id)
    case .halfOpen:
      connection.isSilent = true
      connection.isDead = due.lasting == nil
      loop.change(connection.watch, to: [])
      after(due.lasting, id) { server, connection in
        connection.isSilent = false
        connection.watched = .read
        server.loop.change(connection.watch, to: .read)
        server.flush(id, connection)
      }
    case .garbage(let garbage): session.submitRaw(garbage.bytes(stream: stream))
    case .refuseConnections, .stall, .resetStream, .answer, .latency: break
    }
  }

  private func after(
    _ duration: Duration?, _ id: Int,
    _ undo: @escaping @Sendable (isolated SandboxServer, SandboxConnection) -> Void
  ) {
    guard let duration else { return }
    _ = loop.schedule(at: .now + duration) { [weak self] in
      self?.assumeIsolated { server in
        if let connection = server.connections[id] { undo(server, connection) }
      }
    }
  }

  /// Closes the port and takes all connections away; opens the same port again when the time is over.
  private func refuseConnections(_ duration: Duration?) {
    guard let port = listener?.socket.localPort ?? closedPort else { return }
    closedPort = port
    closures += 1
    closeListener()
    for (id, connection) in connections {
      connection.channel.socket.resetOnClose()
      forget(id)
    }
    guard let duration else { return }
    _ = loop.schedule(at: .now + duration) { [weak self] in
      self?.assumeIsolated { $0.openAgain(port) }
    }
  }

  private func openAgain(_ port: UInt16) {
    closures -= 1
    guard closures == 0, !isStopping else { return }
    do { _ = try listen(port) } catch {
      // Somebody else has taken the port meanwhile: it is tried until it is free.
      closures += 1
      _ = loop.schedule(at: .now + .milliseconds(50)) { [weak self] in
        self?.assumeIsolated { $0.openAgain(port) }
      }
    }
  }
}

extension Fault {
  fileprivate var changesLimit: Bool {
    if case .settings(.some, _) = kind { true } else { false }
  }
}
