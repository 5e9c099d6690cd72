import Synchronization

/// What the callbacks of all connections share: the handler, the deadlines and the requests under
/// way.
///
/// Each lock guards one value and is let go before anything is called.
final class HTTPService: Sendable {
  private struct Requests {
    var underWay: [ObjectIdentifier: Exchange] = [:]
    var refusing = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [] }
      return waiting
    }
  }

  let handler: @Sendable (HTTPRequest) async -> HTTPResponse
  let bodyLimit: @Sendable (_ method: String, _ path: String) -> Int
  let streamsBody: @Sendable (_ method: String, _ path: String) -> Bool
  private let elapsed: @Sendable () -> Duration
  private let deadlines: Mutex<ConnectionDeadlines>
  private let requests = Mutex(Requests())
  private let nextID = Atomic(1)

  init(
    _ configuration: HTTPServer.Configuration,
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.handler = handler
    bodyLimit = configuration.bodyLimit
    streamsBody = configuration.streamsBody
    elapsed = Self.stopwatch(configuration.clock)
    deadlines = Mutex(
      ConnectionDeadlines(
        .init(
          header: configuration.headerDeadline, body: configuration.bodyDeadline,
          idle: configuration.keepAliveDeadline, minimumBodyRate: configuration.minimumBodyRate)))
  }

  // MARK: Connections

  func opened(socket: Int32) -> Int {
    let id = nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    let now = elapsed()
    deadlines.withLock { $0.opened(id, socket: socket, at: now) }
    return id
  }

  /// Called before libmicrohttpd closes the socket, which is why none that `closeOverdue` sees can
  /// have become another's.
  func closed(_ id: Int) { deadlines.withLock { $0.closed(id) } }

  func headEnded(_ id: Int) {
    let now = elapsed()
    deadlines.withLock { $0.headEnded(id, at: now) }
  }

  func bodyCame(_ id: Int, bytes: Int) { deadlines.withLock { $0.bodyCame(id, bytes: bytes) } }

  func requestEnded(_ id: Int) { deadlines.withLock { $0.requestEnded(id) } }

  func closeOverdue() {
    let now = elapsed()
    deadlines.withLock { deadlines in
      // Within the lock, so that `closed` has to wait and the number stays this connection's.
      for socket in deadlines.overdue(at: now) { ListeningSocket.shutDown(socket) }
    }
  }

  // MARK: Requests

  /// False once the server stops: the request is then answered 503.
  func admit(_ exchange: Exchange) -> Bool {
    requests.withLock {
      guard !$0.refusing else { return false }
      $0.underWay[ObjectIdentifier(exchange)] = exchange
      return true
    }
  }

  func completed(_ exchange: Exchange, connection id: Int) {
    let now = elapsed()
    deadlines.withLock { $0.answered(id, at: now) }
    exchange.cutOff()
    exchange.endStream()
    let waiting = requests.withLock {
      $0.underWay[ObjectIdentifier(exchange)] = nil
      return $0.underWay.isEmpty ? $0.takeWaiting() : []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Streams have no end of their own, so they end here.
  func refuseRequests() {
    let open = requests.withLock {
      $0.refusing = true
      return Array($0.underWay.values)
    }
    for exchange in open { exchange.endStream() }
  }

  /// Returns when no request is under way.
  ///
  /// `abandonRequests` releases it too.
  func drained() async {
    await withCheckedContinuation { continuation in
      let now = requests.withLock {
        guard !$0.underWay.isEmpty else { return true }
        $0.waiting.append(continuation)
        return false
      }
      if now { continuation.resume() }
    }
  }

  func abandonRequests() {
    let (open, waiting) = requests.withLock {
      (Array($0.underWay.values), $0.takeWaiting())
    }
    for exchange in open { exchange.abandon() }
    for continuation in waiting { continuation.resume() }
  }

  private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
