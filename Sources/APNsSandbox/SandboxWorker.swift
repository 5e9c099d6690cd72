import _EventLoop
import _HTTP2
import _HTTP2Channel

/// One thread of the sandbox, and the connections that it serves.
actor SandboxWorker {
  /// How long a stopping sandbox waits for what it still has to write.
  private static let drainTimeout = Duration.seconds(5)

  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let shared: SandboxShared
  /// Called where a request met a refusal of all connections, and for how long.
  let onRefusal: @Sendable (Duration?) -> Void
  let rules: SandboxRules
  var ids = UniqueIDs()
  var connections: [Int: SandboxConnection] = [:]
  /// The streams whose answers wait, by the time that they wait for.
  var waiting: [Duration: [(connection: Int, stream: Int32)]] = [:]
  private var isStopping = false
  private var stopper: CheckedContinuation<Void, Never>?

  init(
    _ shared: SandboxShared, rules: SandboxRules, loop: EventLoop,
    onRefusal: @escaping @Sendable (Duration?) -> Void
  ) {
    self.shared = shared
    self.rules = rules
    self.loop = loop
    self.onRefusal = onRefusal
  }

  /// Serves an accepted connection of that number from now on.
  nonisolated func take(_ socket: Socket, _ id: Int) {
    perform { $0.serve(socket, id) }
  }

  /// Does something on its thread, after what it was told before.
  nonisolated func perform(
    at deadline: ContinuousClock.Instant = .now,
    _ body: @escaping @Sendable (isolated SandboxWorker) -> Void
  ) {
    _ = loop.schedule(at: deadline) { [weak self] in self?.assumeIsolated(body) }
  }

  /// Returns when it has done what it was told.
  func catchUp() async {
    await withCheckedContinuation { continuation in
      _ = loop.schedule(at: .now) { continuation.resume() }
    }
  }

  /// Gives the answers that are due, says `Shutdown` to every connection and closes.
  func stop() async {
    isStopping = true
    for (id, connection) in connections where connection.isSilent { forget(id) }
    for (id, connection) in connections {
      connection.goAway("Shutdown")
      flush(id, connection)
    }
    let timer = loop.schedule(at: .now + Self.drainTimeout + shared.configuration.latency.bound) {
      [weak self] in
      self?.assumeIsolated { worker in
        for id in worker.connections.keys { worker.forget(id) }
      }
    }
    if !connections.isEmpty { await withCheckedContinuation { stopper = $0 } }
    loop.cancel(timer)
  }

  /// Ends the connections that keep it waiting.
  func sweep() {
    let now = shared.elapsed()
    for (id, connection) in connections where !connection.isSilent {
      switch connection.judge(at: now) {
      case .patient: break
      case .slow: forget(id)
      case .idle:
        connection.goAway("IdleTimeout")
        flush(id, connection)
      }
    }
  }
}

// MARK: Connections

extension SandboxWorker {
  private func serve(_ socket: Socket, _ id: Int) {
    guard !isStopping else { return }
    let configuration = shared.configuration
    var settings = HTTP2Session.Settings()
    settings.maxConcurrentStreams =
      configuration.slowStart ? 1 : UInt32(clamping: configuration.maxStreams)
    settings.fieldNames = SandboxRequest.Field.allCases.map(\.name)
    // What cannot be begun is closed, as if it had been refused.
    guard
      let channel = try? HTTP2Channel(
        accepted: socket, certificate: shared.certificate, settings: settings),
      let watch = try? loop.watch(
        socket, for: channel.interest,
        { [weak self] _ in self?.assumeIsolated { $0.ready(id) } })
    else { return }
    connections[id] = SandboxConnection(
      channel, watch: watch,
      timeouts: ConnectionTimeouts(shared.timeouts, at: shared.elapsed()))
  }

  private func ready(_ id: Int) {
    guard let connection = connections[id], !connection.isSilent else { return }
    do {
      let wasOpen = connection.channel.isOpen
      // What came is there since before it was read.
      let now = shared.elapsed()
      let events = try connection.channel.receive()
      if !wasOpen { greet(connection) }
      connection.heard(at: now)
      for (stream, request) in connection.process(events, at: now) {
        handle(request, stream, id, connection, at: now)
        guard connections[id] != nil else { return }
      }
      if connection.channel.isLost { return forget(id) }
      flush(id, connection)
    } catch { forget(id) }
  }

  /// The handshake may be over: a provider with a certificate has proved who it is, and needs no slow start.
  private func greet(_ connection: SandboxConnection) {
    guard let certificate = connection.channel.peer else { return }
    connection.provider.certificate = certificate
    if shared.configuration.slowStart { allowAllStreams(connection) }
  }

  func allowAllStreams(_ connection: SandboxConnection) {
    connection.allow(streams: shared.configuration.maxStreams)
  }

  func flush(_ id: Int, _ connection: SandboxConnection) {
    guard !connection.isSilent else { return }
    let channel = connection.channel
    do {
      _ = connection.process(try channel.flush(), at: shared.elapsed())
    } catch { return forget(id) }
    let isDrained = isStopping && !connection.isAnswering && channel.interest == .read
    if channel.isOpen ? channel.session.isFinished || isDrained : isStopping {
      channel.close()
      return forget(id)
    }
    if connection.watched != channel.interest {
      connection.watched = channel.interest
      loop.change(connection.watch, to: channel.interest)
    }
  }

  func forget(_ id: Int) {
    guard let connection = connections[id] else { return }
    // What it took it has done, though nobody will read the answer.
    for (stream, due) in connection.takeAllDue() {
      record(due.request, stream, id, due.answer, now: due.time)
    }
    connections[id] = nil
    loop.cancel(connection.watch)
    if isStopping, connections.isEmpty { stopper.take()?.resume() }
  }
}
