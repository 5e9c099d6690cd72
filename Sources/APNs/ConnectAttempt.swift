import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// An attempt to connect: a host's addresses, one after the other.
struct ConnectAttempt {
  var number: Int
  var addresses: [SocketAddress] = []
  var deadline: ContinuousClock.Instant?
  /// Why the last address did not do.
  var failure: any Error
}

extension Transport {
  /// Begins an attempt, after a wait where the last ones brought nothing.
  func connect() {
    let number = nextConnection
    nextConnection += 1
    attempt = ConnectAttempt(
      number: number,
      failure: TLSError(.failed, "\(configuration.endpoint.host) has no address"))
    let wait = PoolRule.backOff(afterFailures: fruitless, chance: .random(in: 0..<1))
    _ = loop.schedule(at: .now + wait) { [weak self] in self?.assumeIsolated { $0.lookUp(number) } }
  }

  private func lookUp(_ number: Int) {
    guard attempt?.number == number else { return }
    let endpoint = configuration.endpoint
    // Not kept between attempts: Apple's addresses change, and moves load by them.
    SocketAddress.resolve(host: endpoint.host, port: endpoint.port) { [weak self] result in
      self?.run { $0.found(result, number) }
    }
  }

  private func found(_ result: Result<[SocketAddress], any Error>, _ number: Int) {
    guard attempt?.number == number else { return }
    switch result {
    case .failure(let error): attempt?.failure = error
    case .success(let addresses):
      // Each connection begins at another address, so that they spread.
      let first = nextAddress % max(1, addresses.count)
      nextAddress += 1
      attempt?.addresses = Array(addresses[first...] + addresses[..<first])
      attempt?.deadline = .now + configuration.connectTimeout
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
    fruitless += 1
    let endpoint = configuration.endpoint
    settleUnconnected(
      "cannot connect to \(endpoint.host) port \(endpoint.port): \(attempt.failure)")
    closeIfDone()
  }

  private func open(_ address: SocketAddress, until limit: ContinuousClock.Instant) throws {
    let id = nextConnection
    nextConnection += 1
    var settings = HTTP2Session.Settings()
    settings.fieldNames = PushAnswer.fieldNames
    let connection = Connection(
      try HTTP2Channel(
        to: address, host: configuration.endpoint.host, trust: trust, settings: settings),
      vitals: configuration.vitals)
    connection.watch = try loop.watch(connection.channel.socket, for: connection.channel.interest) {
      [weak self] _ in
      self?.assumeIsolated { $0.ready(id) }
    }
    connection.opening = loop.schedule(at: limit) { [weak self] in
      self?.assumeIsolated {
        $0.lose(id, TLSError(.failed, "no answer within the connect timeout"))
        $0.pump()
      }
    }
    connections[id] = connection
  }

  /// A connection has its handshake behind it.
  func opened(_ id: Int, _ connection: Connection) {
    guard let opening = connection.opening else { return }
    loop.cancel(opening)
    connection.opening = nil
    attempt = nil
    configuration.metrics?.opened(connection: id)
    // Until it has answered: a peer that takes connections and ends them is no better than none.
    fruitless += 1
  }

  /// A connection ended before it was open.
  func attemptFailed(_ error: any Error) {
    attempt?.failure = error
    tryNextAddress()
  }
}
