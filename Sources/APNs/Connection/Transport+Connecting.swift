import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// An attempt to connect: a host's addresses, one after the other.
struct ConnectAttempt {
  var number: Int
  var addresses: [SocketAddress] = []
  var deadline: ContinuousClock.Instant?
  /// The end of the look-up's time; `nil` before and after it.
  var lookUpTimer: EventLoop.Registration?
  /// Why the last address did not do.
  var failure: any Error
}

extension Transport {
  /// Begins an attempt, after a wait where the last ones brought nothing.
  func connect() {
    let number = numbers.next()
    attempt = ConnectAttempt(
      number: number, failure: TLSError(.failed, "\(place.host) has no address"))
    let wait = PoolRule.backOff(
      afterFailures: fruitless + failedAttempts, chance: configuration.chance())
    _ = loop.schedule(at: .now + wait) { [weak self] in self?.assumeIsolated { $0.lookUp(number) } }
  }

  private func lookUp(_ number: Int) {
    guard attempt?.number == number else { return }
    let deadline = ContinuousClock.now + configuration.connectTimeout
    attempt?.deadline = deadline
    attempt?.lookUpTimer = loop.schedule(at: deadline) { [weak self] in
      self?.assumeIsolated {
        let timeout = $0.configuration.connectTimeout
        $0.found(.failure(TLSError(.failed, "its name was not found within \(timeout)")), number)
      }
    }
    // Not kept between attempts: Apple's addresses change, and moves load by them.
    configuration.resolve(place.host, place.port) { [weak self] result in
      self?.run { $0.found(result, number) }
    }
  }

  /// What is connected to: APNs, or the proxy before it.
  private var place: (host: String, port: UInt16) {
    let (endpoint, proxy) = (configuration.endpoint, configuration.proxy)
    return (proxy?.host ?? endpoint.host, proxy?.port ?? endpoint.port)
  }

  private func found(_ result: Result<[SocketAddress], any Error>, _ number: Int) {
    // The answer of a look-up that is over comes to nobody.
    guard attempt?.number == number, let timer = attempt?.lookUpTimer else { return }
    loop.cancel(timer)
    attempt?.lookUpTimer = nil
    switch result {
    case .failure(let error): attempt?.failure = error
    case .success(let addresses):
      // Each connection begins at another address, so that they spread.
      let first = nextAddress % max(1, addresses.count)
      nextAddress += 1
      attempt?.addresses = Array(addresses[first...] + addresses[..<first])
    }
    tryNextAddress()
  }

  private func tryNextAddress() {
    while let attempt, let address = attempt.addresses.first, let deadline = attempt.deadline {
      // Addresses share what is left of the time, so that a dead first one leaves some.
      let left = ContinuousClock.now.duration(to: deadline)
      let limit = ContinuousClock.now + left / attempt.addresses.count
      self.attempt?.addresses.removeFirst()
      do { return try open(address, until: limit) } catch { self.attempt?.failure = error }
    }
    guard let attempt else { return }
    self.attempt = nil
    failedAttempts += 1
    let way = configuration.proxy.map { " by the proxy \($0)" } ?? ""
    let why = "cannot connect to \(destination)\(way): \(attempt.failure)"
    lastFailure = why
    // Another attempt would end the same; else one is made for what waits, until that has no time left.
    if attempt.failure.isLasting { settleUnconnected(why) }
    pump()
  }

  private var destination: String {
    "\(configuration.endpoint.host) port \(configuration.endpoint.port)"
  }

  /// Why a push that waited all its time was not sent.
  func reasonForWaiting(_ timeout: Duration) -> String {
    if !connections.values.contains(where: \.takesPushes) {
      if let lastFailure { return lastFailure }
      if attempt != nil { return "still connecting to \(destination) after \(timeout)" }
    }
    return "no stream was free within \(timeout)"
  }

  private func open(_ address: SocketAddress, until limit: ContinuousClock.Instant) throws {
    let id = numbers.next()
    let endpoint = configuration.endpoint
    var settings = HTTP2Session.Settings()
    settings.fieldNames = PushAnswer.fieldNames
    settings.keepsOtherFields = false
    settings.firstStream = configuration.firstStream
    let connection = Connection(
      try HTTP2Channel(
        to: address, host: endpoint.host, trust: identity.trust, settings: settings,
        tunnel: configuration.proxy?.tunnel(to: endpoint), resuming: sessionToResume()),
      trust: identity.trust, keepAlive: configuration.keepAlive)
    connection.watch = try loop.watch(connection.channel.socket, for: connection.channel.interest) {
      [weak self] _ in
      self?.assumeIsolated { $0.ready(id) }
    }
    connection.opening = loop.schedule(at: limit) { [weak self] in
      self?.assumeIsolated {
        let timeout = $0.configuration.connectTimeout
        $0.lose(id, TLSError(.failed, "no answer within its part of the \(timeout) for connecting"))
        $0.pump()
      }
    }
    connection.state = ConnectionState(awaitsAnswer: identity.tokens != nil)
    connections[id] = connection
  }

  /// A connection has its handshake behind it.
  func opened(_ id: Int, _ connection: Connection) {
    guard let opening = connection.opening else { return }
    loop.cancel(opening)
    connection.opening = nil
    attempt = nil
    failedAttempts = 0
    lastFailure = nil
    configuration.metrics?.opened(connection: id)
    // Until it has answered: a peer that takes connections and ends them is no better than none.
    fruitless += 1
  }

  /// A connection ended before it was open.
  func attemptFailed(_ error: any Error) {
    attempt?.failure = error
    forgetSession()
    tryNextAddress()
  }
}

extension Error {
  /// Whether it says that the configuration or a certificate is wrong, which time does not mend.
  fileprivate var isLasting: Bool {
    switch self {
    case let error as TLSError: error.code == .certificate || error.code == .badPEM
    case let error as ProxyError: error.isLasting
    default: false
    }
  }
}
