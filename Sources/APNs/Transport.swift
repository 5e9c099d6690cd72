import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// Runs the queue and its connection on the event loop's thread.
///
/// There is one connection in use; one that APNs is closing lives on beside it until its last answer.
actor Transport {
  private let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let configuration: APNsClient.Configuration
  private let trust: TLSContext
  private let authority: String
  private var tokens: ProviderTokenSource
  private var queue = SendQueue()
  private var callers: [Int: CheckedContinuation<[APNsOutcome], Never>] = [:]
  private var connections: [Int: Connection] = [:]
  private var watches: [Int: (EventLoop.Registration, EventLoop.Readiness)] = [:]
  private var current: Int?
  private var nextConnection = 0
  private var isConnecting = false
  private var isPumpDue = false
  /// How many connections in a row brought no answer.
  private var fruitless = 0
  private var opening:
    (
      id: Int, timeout: EventLoop.Registration, continuation: CheckedContinuation<Void, any Error>
    )?
  private var timer: EventLoop.Registration?
  private var headers = HeaderBlock()
  private var isClosed = false
  private var closers: [CheckedContinuation<Void, Never>] = []

  init(
    _ configuration: APNsClient.Configuration, loop: EventLoop, trust: TLSContext,
    tokens: ProviderTokenSource
  ) {
    self.configuration = configuration
    self.loop = loop
    self.trust = trust
    self.tokens = tokens
    let host = configuration.endpoint.host
    let name = host.contains(":") ? "[\(host)]" : host
    let port = configuration.endpoint.port
    authority = port == 443 ? name : "\(name):\(port)"
  }

  func send(_ notifications: [APNsNotification]) async -> [APNsOutcome] {
    guard !isClosed else {
      return notifications.map { PushResult.neverSent("the client is closed").outcome(of: $0) }
    }
    guard !notifications.isEmpty else { return [] }
    return await withCheckedContinuation { caller in
      let batch = queue.add(notifications, deadline: .now + configuration.requestTimeout)
      callers[batch] = caller
      for (index, notification) in notifications.enumerated() {
        guard let flaw = notification.flaw(withToken: true) else { continue }
        settle(queue.finish(PushReference(batch: batch, index: index), .flawed(flaw)))
      }
      startTimer()
      pumpSoon()
    }
  }

  /// Takes no push any more, drops those that wait, and returns when the answers due have come.
  func close() async {
    isClosed = true
    settle(queue.finishWaiting(.neverSent("the client was closed")))
    await withCheckedContinuation { closer in
      closers.append(closer)
      closeIfDone()
    }
  }
}

// MARK: Connecting

extension Transport {
  private func connect() async {
    let endpoint = configuration.endpoint
    if fruitless > 0 {
      // Apple takes many connections in a short time for an attack.
      try? await Task.sleep(for: .milliseconds(50 << min(fruitless, 7)))
    }
    var failure: any Error = TLSError(.failed, "\(endpoint.host) has no address")
    do {
      let addresses = try await SocketAddress.resolve(host: endpoint.host, port: endpoint.port)
      // Counted from here: coming back from the look-up may have waited for a busy pool.
      let deadline = ContinuousClock.now + configuration.connectTimeout
      for (index, address) in addresses.enumerated() {
        // Addresses share what is left of the time, so that a dead first one leaves some.
        let left = ContinuousClock.now.duration(to: deadline)
        let limit = ContinuousClock.now + left / (addresses.count - index)
        do {
          try await open(address, until: limit)
          isConnecting = false
          fruitless += 1
          return pump()
        } catch { failure = error }
      }
    } catch { failure = error }
    isConnecting = false
    settle(
      queue.finishWaiting(
        .neverSent("cannot connect to \(endpoint.host) port \(endpoint.port): \(failure)")))
    closeIfDone()
  }

  private func open(_ address: SocketAddress, until limit: ContinuousClock.Instant) async throws {
    let id = nextConnection
    nextConnection += 1
    var settings = HTTP2Session.Settings()
    settings.fieldNames = PushAnswer.fieldNames
    let connection = Connection(
      try HTTP2Channel(
        to: address, host: configuration.endpoint.host, trust: trust, settings: settings))
    let channel = connection.channel
    let watch = try loop.watch(channel.socket, for: channel.interest) { [weak self] _ in
      self?.assumeIsolated { $0.ready(id) }
    }
    connections[id] = connection
    watches[id] = (watch, channel.interest)
    let timeout = loop.schedule(at: limit) { [weak self] in
      self?.assumeIsolated {
        $0.lose(id, TLSError(.failed, "no answer within the connect timeout"))
      }
    }
    try await withCheckedThrowingContinuation { opening = (id, timeout, $0) }
    // A peer may end what it has just opened before this task runs again.
    guard connections[id] != nil else { throw TLSError(.closed, "APNs closed the new connection") }
    current = id
  }

  /// Ends the wait for a connection, if it is this one that is waited for.
  private func opened(_ id: Int, _ result: Result<Void, any Error>) {
    guard let waiting = opening, waiting.id == id else { return }
    opening = nil
    loop.cancel(waiting.timeout)
    waiting.continuation.resume(with: result)
  }
}

// MARK: Running

extension Transport {
  /// The socket of a connection is ready.
  private func ready(_ id: Int) {
    guard let connection = connections[id] else { return }
    do {
      apply(try connection.receive())
      if connection.channel.isOpen { opened(id, .success(())) }
      if connection.channel.isLost {
        lose(id, TLSError(.closed, connection.state.retirement ?? "APNs closed the connection"))
      }
    } catch { lose(id, error) }
    pump()
  }

  /// Pumps once for all callers that are in line now, so that their pushes share a write.
  private func pumpSoon() {
    guard !isPumpDue else { return }
    isPumpDue = true
    Task { pump() }
  }

  /// Puts what waits on free streams, and writes.
  private func pump() {
    isPumpDue = false
    if let id = current, connections[id]?.state.retirement != nil { current = nil }
    if current == nil, queue.hasWaiting, !isConnecting {
      isConnecting = true
      Task { await connect() }
    }
    if let id = current, let connection = connections[id] {
      let authorization = tokens.authorization(now: configuration.now())
      var unwritten = 0
      while connection.state.canOpenStream, let (push, notification) = queue.next() {
        headers.write(notification, authority: authority, authorization: authorization)
        do { try connection.send(push, headers, body: notification.payload) } catch {
          // The session opens no stream any more: the next connection takes the push.
          settle(queue.putBack(push))
          connection.state.retire("\(error)")
        }
        // Written in parts, so that APNs works on the first while the next is made.
        unwritten += 1
        if unwritten == 100 {
          unwritten = 0
          flush(id, connection)
        }
      }
    }
    for (id, connection) in connections {
      flush(id, connection)
      if connections[id] != nil { tidy(id, connection) }
    }
    closeIfDone()
    if current == nil, !isConnecting, queue.hasWaiting { pump() }
  }

  private func flush(_ id: Int, _ connection: Connection) {
    do { apply(try connection.flush()) } catch {
      // What the peer said before it closed may still lie unread: answers, and what it left out.
      if let effects = try? connection.receive() { apply(effects) }
      lose(id, error)
    }
  }

  /// Watches a connection for what it waits for, or ends it where nothing will come any more.
  private func tidy(_ id: Int, _ connection: Connection) {
    let channel = connection.channel
    guard channel.isOpen, connection.isFinished else {
      if let (watch, interest) = watches[id], interest != channel.interest {
        loop.change(watch, to: channel.interest)
        watches[id] = (watch, channel.interest)
      }
      return
    }
    channel.close()
    forget(id)
  }

  /// A connection is gone: its pushes are settled, and those it did not process wait again.
  private func lose(_ id: Int, _ error: any Error) {
    guard let connection = connections[id] else { return }
    forget(id)
    opened(id, .failure(error))
    apply(connection.state.lost("the connection to APNs was lost: \(error)"))
  }

  private func forget(_ id: Int) {
    if let (watch, _) = watches.removeValue(forKey: id) { loop.cancel(watch) }
    connections[id] = nil
    if current == id { current = nil }
  }

  private func apply(_ effects: [ConnectionState.Effect]) {
    for effect in effects {
      switch effect {
      case .finished(let push, let result):
        if case .answered = result { fruitless = 0 }
        settle(queue.finish(push, result))
      case .refused(let push): settle(queue.putBack(push))
      }
    }
  }

  private func settle(_ batches: [(batch: Int, outcomes: [APNsOutcome])]) {
    for (batch, outcomes) in batches {
      callers.removeValue(forKey: batch)?.resume(returning: outcomes)
    }
  }

  private func closeIfDone() {
    guard isClosed, queue.isEmpty, !isConnecting else { return }
    for (id, connection) in connections {
      connection.channel.close()
      forget(id)
    }
    for closer in closers { closer.resume() }
    closers = []
  }
}

// MARK: Time

extension Transport {
  private func startTimer() {
    guard timer == nil, let deadline = queue.nextDeadline else { return }
    timer = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated {
        $0.timer = nil
        $0.expire()
        $0.startTimer()
      }
    }
  }

  private func expire() {
    let now = ContinuousClock.now
    let timeout = configuration.requestTimeout
    let expired = queue.popExpired(now: now)
    guard !expired.isEmpty else { return }
    let places = Set(expired.map(PushPlace.init))
    for connection in connections.values {
      let unanswered = connection.expire(places)
      for push in unanswered {
        settle(queue.finish(push, .maybeSent("APNs did not answer within \(timeout)")))
      }
      // A peer that sent nothing for as long as a request may take is taken for gone.
      if !unanswered.isEmpty, connection.channel.lastReceived + timeout <= now {
        connection.state.retire("APNs was silent for \(timeout)")
      }
    }
    for push in expired {
      settle(queue.finish(push, .neverSent("no stream was free within \(timeout)")))
    }
    pump()
  }
}
