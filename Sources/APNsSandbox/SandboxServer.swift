import FoundationEssentials
import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// Runs the sandbox's sockets on its event loop.
actor SandboxServer {
  /// How long a stopping sandbox waits for what it still has to write.
  private static let drainTimeout = Duration.seconds(5)

  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let configuration: APNsSandbox.Configuration
  private var rules: SandboxRules
  private var channels = SandboxChannels()
  private var ids = UniqueIDs()
  private let certificate: TLSContext
  private(set) var listener: (socket: Socket, watch: EventLoop.Registration)?
  var connections: [Int: SandboxConnection] = [:]
  private var nextConnection = 1
  var requestCount = 0
  var script = FaultScriptState(FaultScript())
  /// Since when the script runs.
  var scriptStart = ContinuousClock.now
  var scriptTimers: [EventLoop.Registration] = []
  /// How many faults keep the port closed, and which it is.
  var closures = 0
  var closedPort: UInt16?
  private(set) var isStopping = false
  /// How long the clock has run.
  private let elapsed: @Sendable () -> Duration
  private let patience: ConnectionPatience.Limits
  /// Looks after those that keep it waiting.
  private var sweeper: Task<Void, Never>?
  private var random: any RandomNumberGenerator & Sendable
  private var stoppers: [CheckedContinuation<Void, Never>] = []

  init(
    _ configuration: APNsSandbox.Configuration, rules: SandboxRules, certificate: TLSContext,
    loop: EventLoop
  ) {
    self.configuration = configuration
    self.rules = rules
    self.certificate = certificate
    self.loop = loop
    elapsed = Self.stopwatch(configuration.clock)
    patience = ConnectionPatience.Limits(configuration)
    random = configuration.random
  }

  func start() throws(SandboxError) -> UInt16 {
    let port = try listen(configuration.port)
    run(configuration.script)
    sweeper = Task { [weak self, clock = configuration.clock, period = patience.period] in
      while (try? await clock.sleep(for: period)) != nil {
        guard await self?.sweep() != nil else { return }
      }
    }
    return port
  }

  func listen(_ port: UInt16) throws(SandboxError) -> UInt16 {
    let place = "\(configuration.host):\(port)"
    do throws(SystemError) {
      let address = try SocketAddress.lookUp(
        host: configuration.host, port: port)[0]
      let socket = try Socket.listening(on: address)
      let watch = try loop.watch(socket, for: .read) { [weak self] _ in
        self?.assumeIsolated { $0.accept() }
      }
      listener = (socket, watch)
      return socket.localPort
    } catch {
      guard error.isAddressInUse else {
        throw SandboxError(.system, "cannot listen on \(place): \(error)", cause: error)
      }
      throw SandboxError(
        .addressInUse,
        "cannot listen on \(place): it is in use; stop what listens there or choose another port",
        cause: error)
    }
  }

  func markGone(_ token: String, at timestamp: Int64?) { rules.markGone(token, at: timestamp) }

  func stop() async {
    isStopping = true
    sweeper?.cancel()
    run(FaultScript())
    for (id, connection) in connections where connection.isSilent { forget(id) }
    closeListener()
    for (id, connection) in connections {
      connection.goAway("Shutdown")
      flush(id, connection)
    }
    let deadline = ContinuousClock.now + Self.drainTimeout + configuration.latency.bound
    let timer = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated { server in
        for id in server.connections.keys { server.forget(id) }
      }
    }
    await withCheckedContinuation { stopper in
      stoppers.append(stopper)
      stopIfDone()
    }
    loop.cancel(timer)
  }

  func closeListener() {
    if let listener { loop.cancel(listener.watch) }
    listener = nil
  }

  private func stopIfDone() {
    guard isStopping, connections.isEmpty else { return }
    for stopper in stoppers { stopper.resume() }
    stoppers = []
  }
}

// MARK: Connections

extension SandboxServer {
  private func accept() {
    do {
      while let socket = try listener?.socket.accepted() { try serve(socket) }
    } catch {
      // Out of file descriptors: what waits is taken when there are some again.
      guard let listener else { return }
      loop.change(listener.watch, to: [])
      _ = loop.schedule(at: .now + .milliseconds(100)) { [weak self] in
        self?.assumeIsolated { server in
          if let listener = server.listener { server.loop.change(listener.watch, to: .read) }
        }
      }
    }
  }

  private func serve(_ socket: Socket) throws {
    let id = nextConnection
    nextConnection += 1
    var settings = HTTP2Session.Settings()
    settings.maxConcurrentStreams =
      configuration.slowStart ? 1 : UInt32(clamping: configuration.maxStreams)
    let channel = try HTTP2Channel(
      accepted: socket, certificate: certificate, settings: settings)
    let watch = try loop.watch(socket, for: channel.interest) { [weak self] _ in
      self?.assumeIsolated { $0.ready(id) }
    }
    connections[id] = SandboxConnection(
      channel, watch: watch, patience: ConnectionPatience(patience, at: elapsed()))
  }

  private func ready(_ id: Int) {
    guard let connection = connections[id], !connection.isSilent else { return }
    do {
      let wasOpen = connection.channel.isOpen
      let events = try connection.channel.receive()
      if !wasOpen { greet(connection) }
      let now = elapsed()
      connection.heard(at: now)
      for (stream, request) in connection.process(events, at: now) {
        handle(request, stream, id, connection)
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
    if configuration.slowStart { connection.allow(streams: configuration.maxStreams) }
  }

  func flush(_ id: Int, _ connection: SandboxConnection) {
    guard !connection.isSilent else { return }
    let channel = connection.channel
    do {
      _ = connection.process(try channel.flush(), at: elapsed())
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
    stopIfDone()
  }

  /// Ends the connections that keep it waiting.
  private func sweep() {
    let now = elapsed()
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

  private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

// MARK: Requests

extension SandboxServer {
  private func handle(
    _ request: SandboxRequest, _ stream: Int32, _ id: Int, _ connection: SandboxConnection
  ) {
    guard connection.isServed(stream), !connection.isDead else { return }
    requestCount += 1
    let now = configuration.now()
    let faults = script.isEmpty ? [] : meet(request, stream, id, connection)
    var wait = configuration.latency.next(using: &random)
    var given: SandboxAnswer?
    for fault in faults {
      switch fault.kind {
      case .latency(let more): wait += more.next(using: &random)
      case .stall:
        return record(request, stream, id, nil, now: now)
      case .resetStream(let code):
        connection.channel.session.submitReset(
          stream: stream, code: HTTP2ErrorCode(rawValue: code))
        return record(request, stream, id, nil, now: now)
      case .answer(let status, let reason, let timestamp) where given == nil:
        // What is refused on purpose changes no channel.
        given =
          request.channelPath.map { _ in SandboxAnswer(to: request, status: status, &ids) }
          ?? judge(request, connection, now: now)
        given?.status = status
        given?.reason = reason
        given?.timestamp = timestamp
        if status != 200 { given?.apnsUniqueID = nil }
      default: break
      }
    }
    // A fault may have taken the connection, or disclaimed the request.
    guard connections[id] != nil, !connection.isDead, connection.isServed(stream) else {
      return record(request, stream, id, nil, now: now)
    }
    let answer = given ?? judge(request, connection, now: now)
    guard wait > .zero else {
      record(request, stream, id, answer, now: now)
      return connection.answer(stream, answer)
    }
    connection.keep(DueAnswer(request: request, answer: answer, time: now), stream)
    perform(after: wait) { server in
      guard let connection = server.connections[id], let due = connection.takeDue(stream) else {
        return
      }
      server.record(due.request, stream, id, due.answer, now: due.time)
      connection.answer(stream, due.answer)
      server.flushSoon(id, connection)
    }
  }

  /// Writes the answers that are due at the same time at once.
  private func flushSoon(_ id: Int, _ connection: SandboxConnection) {
    guard !connection.isFlushDue else { return }
    connection.isFlushDue = true
    _ = loop.schedule(at: .now) { [weak self] in
      self?.assumeIsolated { server in
        guard let connection = server.connections[id] else { return }
        connection.isFlushDue = false
        server.flush(id, connection)
      }
    }
  }

  /// Does something later, by the clock that was handed in.
  private func perform(
    after wait: Duration, _ body: @escaping @Sendable (isolated SandboxServer) -> Void
  ) {
    guard !(configuration.clock is ContinuousClock) else {
      _ = loop.schedule(at: .now + wait) { [weak self] in self?.assumeIsolated(body) }
      return
    }
    Task { [weak self, clock = configuration.clock] in
      try? await clock.sleep(for: wait)
      await self?.perform(body)
    }
  }

  private func perform(_ body: (isolated SandboxServer) -> Void) { body(self) }

  private func judge(
    _ request: SandboxRequest, _ connection: SandboxConnection, now: Int64
  ) -> SandboxAnswer {
    do throws(SandboxRules.Refusal) {
      defer {
        // The first good provider token ends the slow start, whatever the push's own fate.
        if configuration.slowStart, connection.provider.tokens.accepted != nil {
          connection.allow(streams: configuration.maxStreams)
        }
      }
      if request.token == nil, let path = request.channelPath {
        return try channels.answer(
          request, path, rules, &connection.provider, &ids, now: now / 1000)
      }
      try rules.check(request, &connection.provider, now: now)
      var answer = SandboxAnswer(to: request, status: 200, &ids)
      answer.apnsUniqueID = ids.next()
      return answer
    } catch {
      var answer = SandboxAnswer(to: request, status: error.status, &ids)
      answer.reason = error.reason
      answer.timestamp = error.timestamp
      return answer
    }
  }

  func record(
    _ request: SandboxRequest, _ stream: Int32, _ id: Int, _ answer: SandboxAnswer?, now: Int64
  ) {
    if let journal = configuration.journal {
      journal(
        request.journalLine(
          time: now, connection: id, stream: stream, status: answer?.status,
          reason: answer?.reason))
    }
    guard let answer, answer.status == 200, let onDelivery = configuration.onDelivery,
      let token = request.token
    else { return }
    let provider = connections[id]?.provider ?? SandboxProvider()
    let headers = request.headers
    onDelivery(
      SandboxDelivery(
        token: token, topic: request.topic(of: provider) ?? "",
        pushType: headers["apns-push-type"] ?? "alert", headers: headers, payload: request.body,
        apnsID: answer.apnsID, collapseID: headers["apns-collapse-id"], time: now, connection: id,
        stream: Int(stream)))
  }
}
