import Synchronization

/// The state that the callbacks of all connections share: the handler, the deadlines and the
/// requests in flight.
///
/// Each lock guards one value, and is released before anything is called.
final class HTTPService: Sendable {
  private struct Requests {
    var inFlight: [ObjectIdentifier: Exchange] = [:]
    var isRefusing = false
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

  /// Called before libmicrohttpd closes the socket, so that `closeOverdue` never sees a reused
  /// descriptor.
  func closed(_ id: Int) { deadlines.withLock { $0.closed(id) } }

  func receivedHead(_ id: Int) {
    let now = elapsed()
    deadlines.withLock { $0.receivedHead(id, at: now) }
  }

  func receivedBody(_ id: Int, bytes: Int) {
    deadlines.withLock { $0.receivedBody(id, bytes: bytes) }
  }

  func receivedEnd(_ id: Int) { deadlines.withLock { $0.receivedEnd(id) } }

  func closeOverdue() {
    let now = elapsed()
    deadlines.withLock { deadlines in
      // Inside the lock, so that `closed` waits, and the descriptor is not reused meanwhile.
      for socket in deadlines.overdue(at: now) { ListeningSocket.shutDown(socket) }
    }
  }

  // MARK: Requests

  /// Registers a request.
  ///
  /// - Returns: `false` where the server is stopping; the request is then answered 503.
  func admit(_ exchange: Exchange) -> Bool {
    requests.withLock {
      guard !$0.isRefusing else { return false }
      $0.inFlight[ObjectIdentifier(exchange)] = exchange
      return true
    }
  }

  func completed(_ exchange: Exchange, connection id: Int) {
    let now = elapsed()
    deadlines.withLock { $0.answered(id, at: now) }
    exchange.endIncomingBody()
    exchange.endStream()
    let waiting = requests.withLock {
      $0.inFlight[ObjectIdentifier(exchange)] = nil
      return $0.inFlight.isEmpty ? $0.takeWaiting() : []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Refuses further requests, and ends the streamed answers, which have no end of their own.
  func refuseRequests() {
    let open = requests.withLock {
      $0.isRefusing = true
      return Array($0.inFlight.values)
    }
    for exchange in open { exchange.endStream() }
  }

  /// Returns when no request is in flight, or at `abandonRequests`.
  func drained() async {
    await withCheckedContinuation { continuation in
      let now = requests.withLock {
        guard !$0.inFlight.isEmpty else { return true }
        $0.waiting.append(continuation)
        return false
      }
      if now { continuation.resume() }
    }
  }

  /// Cancels all requests in flight.
  func abandonRequests() {
    let (open, waiting) = requests.withLock {
      (Array($0.inFlight.values), $0.takeWaiting())
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
