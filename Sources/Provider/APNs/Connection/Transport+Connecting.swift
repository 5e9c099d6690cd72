import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// Opening connections, and losing them.
extension Transport {
  /// Begins an attempt to connect, after a back-off if the last ones failed.
  func connect() {
    let number = numbers.next()
    connector.begin(number, to: server.host)
    let wait = PoolRule.backOff(
      afterFailures: credentials.unprovenConnections + connector.failedAttempts,
      chance: configuration.chance())
    _ = loop.schedule(at: .now + wait) { [weak self] in self?.assumeIsolated { $0.lookUp(number) } }
  }

  private func lookUp(_ number: Int) {
    guard connector.isCurrent(number) else { return }
    let deadline = ContinuousClock.now + configuration.connectTimeout
    let timer = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated {
        let timeout = $0.configuration.connectTimeout
        $0.lookUpEnded(
          number, .failure(TLSError(.failed, "its name was not found within \(timeout)")))
      }
    }
    connector.beginLookUp(until: deadline, timer: timer)
    // The addresses are not cached: Apple changes them to move load.
    configuration.resolve(server.host, server.port) { [weak self] result in
      self?.run { $0.lookUpEnded(number, result) }
    }
  }

  /// The server that the socket connects to: APNs, or the proxy before it.
  private var server: (host: String, port: UInt16) {
    let (endpoint, proxy) = (configuration.endpoint, configuration.proxy)
    return (proxy?.host ?? endpoint.host, proxy?.port ?? endpoint.port)
  }

  private func lookUpEnded(_ number: Int, _ result: Result<[SocketAddress], any Error>) {
    guard let timer = connector.endLookUp(number, with: result) else { return }
    loop.cancel(timer)
    tryNextAddress()
  }

  private func tryNextAddress() {
    while let (address, deadline) = connector.popAddress(at: .now) {
      do { return try open(address, until: deadline) } catch { connector.addressFailed(error) }
    }
    guard let error = connector.fail() else { return }
    let way = configuration.proxy.map { " by the proxy \($0)" } ?? ""
    let message = "cannot connect to \(destination)\(way): \(error)"
    connector.lastFailure = message
    // If another attempt would fail in the same way, waiting pushes are settled now. Otherwise attempts are made
    // until the pushes reach their deadlines.
    if error.isPermanent { settleUnconnected(message) }
    pump()
  }

  private var destination: String {
    "\(configuration.endpoint.host) port \(configuration.endpoint.port)"
  }

  /// The reason why a push that waited until its deadline was not sent.
  func reasonForWaiting(_ timeout: Duration) -> String {
    if !pool.hasUsable {
      if let lastFailure = connector.lastFailure { return lastFailure }
      if connector.isConnecting { return "still connecting to \(destination) after \(timeout)" }
    }
    return "no stream was free within \(timeout)"
  }

  private func open(_ address: SocketAddress, until deadline: ContinuousClock.Instant) throws {
    let id = numbers.next()
    let endpoint = configuration.endpoint
    var settings = HTTP2Session.Settings()
    settings.fieldNames = PushAnswer.fieldNames
    settings.keepsOtherFields = false
    settings.firstStream = configuration.firstStream
    let connection = Connection(
      try HTTP2Channel(
        to: address, host: endpoint.host, trust: credentials.trust, settings: settings,
        tunnel: configuration.proxy?.tunnel(to: endpoint),
        resuming: credentials.sessionToResume(from: pool)),
      trust: credentials.trust, keepAlive: configuration.keepAlive)
    connection.registration = try loop.watch(
      connection.channel.socket, for: connection.channel.interest
    ) { [weak self] _ in
      self?.assumeIsolated { $0.ready(id) }
    }
    connection.openTimer = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated {
        let timeout = $0.configuration.connectTimeout
        $0.lose(id, TLSError(.failed, "no answer within its part of the \(timeout) for connecting"))
        $0.pump()
      }
    }
    connection.state = ConnectionState(awaitsAnswer: credentials.usesTokens)
    pool.insert(connection, id)
  }

  /// The TLS handshake of a connection is done, now or before.
  func opened(_ id: Int, _ connection: Connection) {
    guard let timer = connection.openTimer else { return }
    loop.cancel(timer)
    connection.openTimer = nil
    connector.succeed()
    configuration.metrics?.opened(connection: id)
    credentials.connectionOpened()
  }

  /// A connection has failed: its pushes are settled, and those that APNs did not process wait again.
  func lose(_ id: Int, _ error: any Error) {
    guard let connection = pool.connections[id] else { return }
    let wasOpen = connection.openTimer == nil
    remove(id)
    apply(connection.state.lost("the connection to APNs was lost: \(error)"), of: connection)
    guard wasOpen else {
      connector.addressFailed(error)
      credentials.dropSession()
      return tryNextAddress()
    }
    // Reported after the outcomes of its pushes, which are counted on the connection.
    configuration.metrics?.closed(connection: id, reason: "\(error)")
    let unproven = credentials.unprovenConnections
    if unproven > 0 {
      connector.lastFailure =
        "APNs closed the last \(unproven) connections without an answer: \(error)"
    }
  }

  /// Removes a connection from the pool without settling its pushes.
  func remove(_ id: Int) {
    guard let connection = pool.remove(id) else { return }
    if let registration = connection.registration { loop.cancel(registration) }
    if let timer = connection.openTimer { loop.cancel(timer) }
    closing.connectionEnded(id)
    credentials.keepSession(of: connection)
  }
}

extension Error {
  /// Whether the configuration or a certificate is wrong, so that another attempt would fail, too.
  fileprivate var isPermanent: Bool {
    switch self {
    case let error as TLSError: error.code == .certificate || error.code == .badPEM
    case let error as ProxyError: error.isPermanent
    default: false
    }
  }
}
