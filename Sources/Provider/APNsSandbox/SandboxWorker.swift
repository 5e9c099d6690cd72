import _EventLoop
import _HTTP2
import _HTTP2Channel

/// One thread of the sandbox and the connections that it serves.
actor SandboxWorker {
  /// The time that a stopping sandbox tries to send the remaining answers.
  private static let drainTimeout = Duration.seconds(5)

  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let shared: SandboxShared
  /// Called with its duration if a request triggers the fault that refuses all connections.
  let onRefusal: @Sendable (Duration?) -> Void
  let rules: SandboxRules
  var ids = UUIDGenerator()
  var connections: [Int: SandboxConnection] = [:]
  /// The streams with a delayed answer, by the time when it is sent.
  var scheduled: [Duration: [(connection: Int, stream: Int32)]] = [:]
  private var isStopping = false
  private var stopContinuation: CheckedContinuation<Void, Never>?

  init(
    _ shared: SandboxShared, rules: SandboxRules, loop: EventLoop,
    onRefusal: @escaping @Sendable (Duration?) -> Void
  ) {
    self.shared = shared
    self.rules = rules
    self.loop = loop
    self.onRefusal = onRefusal
  }

  /// Serves an accepted connection, which has that number.
  nonisolated func add(_ socket: Socket, _ id: Int) {
    perform { $0.serve(socket, id) }
  }

  /// Runs a closure on this thread, after those that were scheduled before.
  nonisolated func perform(
    at deadline: ContinuousClock.Instant = .now,
    _ body: @escaping @Sendable (isolated SandboxWorker) -> Void
  ) {
    _ = loop.schedule(at: deadline) { [weak self] in self?.assumeIsolated(body) }
  }

  /// Returns when the closures that were scheduled before have run.
  func finishScheduledWork() async {
    await withCheckedContinuation { continuation in
      _ = loop.schedule(at: .now) { continuation.resume() }
    }
  }

  /// Sends the answers that are due and a GOAWAY with `Shutdown`, and closes all connections.
  func stop() async {
    isStopping = true
    for (id, connection) in connections where connection.isSilent { remove(id) }
    for (id, connection) in connections {
      connection.goAway("Shutdown")
      flush(id, connection)
    }
    let timer = loop.schedule(at: .now + Self.drainTimeout + shared.configuration.latency.bound) {
      [weak self] in
      self?.assumeIsolated { worker in
        for id in worker.connections.keys { worker.remove(id) }
      }
    }
    if !connections.isEmpty { await withCheckedContinuation { stopContinuation = $0 } }
    loop.cancel(timer)
  }

  /// Closes the connections that have exceeded a timeout.
  func checkTimeouts() {
    let now = shared.elapsed()
    for (id, connection) in connections where !connection.isSilent {
      switch connection.checkTimeouts(at: now) {
      case .keep: break
      case .slow: remove(id)
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
    // A connection that cannot be set up is closed, as if it had been refused.
    guard
      let channel = try? HTTP2Channel(
        accepted: socket, certificate: shared.certificate, settings: settings),
      let registration = try? loop.watch(
        socket, for: channel.interest,
        { [weak self] _ in self?.assumeIsolated { $0.ready(id) } })
    else { return }
    connections[id] = SandboxConnection(
      channel, registration: registration,
      timeouts: ConnectionTimeouts(shared.timeouts, at: shared.elapsed()))
  }

  private func ready(_ id: Int) {
    guard let connection = connections[id], !connection.isSilent else { return }
    do {
      let wasOpen = connection.channel.isOpen
      // Read before the socket: the bytes were there by then, and latency counts from their arrival.
      let now = shared.elapsed()
      let events = try connection.channel.receive()
      if !wasOpen { readCertificate(of: connection) }
      connection.received(at: now)
      for (stream, request) in connection.process(events, at: now) {
        handle(request, stream: stream, id: id, connection: connection, at: now)
        guard connections[id] != nil else { return }
      }
      if connection.channel.isLost { return remove(id) }
      flush(id, connection)
    } catch { remove(id) }
  }

  /// Keeps the certificate of the handshake, once it is done; a provider with one needs no slow start.
  private func readCertificate(of connection: SandboxConnection) {
    guard let certificate = connection.channel.peer else { return }
    connection.provider.certificate = certificate
    if shared.configuration.slowStart { allowAllStreams(connection) }
  }

  func allowAllStreams(_ connection: SandboxConnection) {
    connection.allow(streams: shared.configuration.maxStreams)
  }

  /// Writes as much as the socket takes, closes a connection that is finished, and updates the socket's watch.
  func flush(_ id: Int, _ connection: SandboxConnection) {
    guard !connection.isSilent else { return }
    let channel = connection.channel
    do {
      _ = connection.process(try channel.flush(), at: shared.elapsed())
    } catch { return remove(id) }
    let isDrained = isStopping && !connection.isAnswering && channel.interest == .read
    if channel.isOpen ? channel.session.isFinished || isDrained : isStopping {
      guard drain(id, connection) else {
        channel.close()
        return remove(id)
      }
    }
    if connection.watchedInterest != channel.interest {
      connection.watchedInterest = channel.interest
      loop.change(connection.registration, to: channel.interest)
    }
  }

  /// Keeps a connection open for its drain time; returns `false` if it must be closed now.
  private func drain(_ id: Int, _ connection: SandboxConnection) -> Bool {
    guard !isStopping, let time = connection.drainTime, time > .zero else { return false }
    guard !connection.isDraining else { return true }
    connection.isDraining = true
    perform(at: .now + time) { worker in
      guard let connection = worker.connections[id] else { return }
      connection.channel.close()
      worker.remove(id)
    }
    return true
  }

  /// Releases a connection, which closes its socket.
  func remove(_ id: Int) {
    guard let connection = connections[id] else { return }
    // Requests with a delayed answer were processed, though the answer is not sent.
    for (stream, delayed) in connection.removeAllDelayed() {
      record(delayed.request, answer: delayed.answer, stream: stream, id: id, now: delayed.time)
    }
    connections[id] = nil
    loop.cancel(connection.registration)
    if isStopping, connections.isEmpty { stopContinuation.take()?.resume() }
  }
}
