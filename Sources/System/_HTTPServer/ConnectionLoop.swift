import Glibc
import _EventLoop

/// One thread of the server, and its connections.
actor ConnectionLoop {
  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  let shared: ServerState
  var connections: [Int: Connection] = [:]
  var deadlines: ConnectionDeadlines
  /// The buffer for one read from a socket.
  var input = [UInt8](repeating: 0, count: 64 << 10)
  var isRefusing = false
  /// The number of requests whose answer was not completely sent.
  var inFlight = 0
  private var waitingForDrain: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false
  private var listener: (socket: Socket, registration: EventLoop.Registration)?
  private var loops: [ConnectionLoop] = []
  private var acceptedCount = 0
  private var dateText = (second: 0, text: "")

  /// The most connections that are accepted, and the most reads of one connection, in one turn.
  static let acceptsPerTurn = 64
  static let readsPerTurn = 2
  /// The most idle connections of a loop that are closed at once if the server has no room for new ones.
  static let closesPerTurn = 32
  /// The pause in accepting if the process has no descriptor left, or no connection is idle.
  static let acceptPause = Duration.milliseconds(50)

  init(_ shared: ServerState, loop: EventLoop) {
    self.shared = shared
    self.loop = loop
    let configuration = shared.configuration
    deadlines = ConnectionDeadlines(
      .init(
        header: configuration.headerDeadline, body: configuration.bodyDeadline,
        idle: configuration.keepAliveDeadline, minimumBodyRate: configuration.minimumBodyRate,
        send: configuration.sendDeadline, linger: configuration.lingerDeadline))
  }

  /// Runs a closure on this thread, after closures that were scheduled earlier.
  nonisolated func perform(
    after delay: Duration = .zero, _ body: @escaping @Sendable (isolated ConnectionLoop) -> Void
  ) {
    _ = loop.schedule(at: .now + delay) { self.assumeIsolated(body) }
  }

  /// The time for `Date`, which is formatted once per second.
  func date() -> String {
    let second = time(nil)
    if second != dateText.second { dateText = (second, ResponseHead.date(second)) }
    return dateText.text
  }

  /// The connection of a request; `nil` if the request was answered or has otherwise ended.
  func connection(of id: ExchangeID) -> Connection? {
    guard let connection = connections[id.connection], connection.exchange == id.exchange else {
      return nil
    }
    return connection
  }

  // MARK: Accepting

  /// Accepts connections and gives each to the next loop in turn.
  nonisolated func accept(on socket: Socket, for loops: [ConnectionLoop]) {
    perform { $0.listen(socket, for: loops) }
  }

  private func listen(_ socket: Socket, for loops: [ConnectionLoop]) {
    guard !isClosed else { return }
    self.loops = loops
    // A new socket can be watched unless memory is short.
    guard
      let registration = try? loop.watch(
        socket, for: .read, { [weak self] _ in self?.assumeIsolated { $0.acceptWaiting() } })
    else { return }
    listener = (socket, registration)
  }

  private func acceptWaiting() {
    guard let listener else { return }
    for turn in 0..<Self.acceptsPerTurn {
      guard shared.addConnection() else {
        // Only in the first turn is it certain that a client is waiting.
        if turn == 0 { makeRoom() }
        return
      }
      do throws(SystemError) {
        guard let socket = try listener.socket.accepted() else {
          return shared.removeConnection()
        }
        let next = loops[acceptedCount % loops.count]
        acceptedCount += 1
        next.perform { $0.serve(socket) }
      } catch {
        shared.removeConnection()
        return pauseAccepting()
      }
    }
  }

  /// Leaves new connections in the kernel's queue for a moment, because there is no room for them.
  private func pauseAccepting() {
    guard let listener else { return }
    loop.change(listener.registration, to: [])
    _ = loop.schedule(at: .now + Self.acceptPause) { [weak self] in
      self?.assumeIsolated { $0.resumeAccepting() }
    }
  }

  private func resumeAccepting() {
    guard let listener else { return }
    loop.change(listener.registration, to: .read)
  }

  /// Closes idle connections for waiting ones, which are accepted as soon as there is room.
  private func makeRoom() {
    pauseAccepting()
    for other in loops {
      other.perform { [weak self] other in
        guard other.closeIdle(atMost: Self.closesPerTurn) > 0 else { return }
        self?.perform { $0.resumeAccepting() }
      }
    }
  }

  private func serve(_ socket: Socket) {
    guard !isClosed, let address = socket.remoteHost else { return shared.removeConnection() }
    let isProxy = shared.forwarded.isTrusted(address)
    let networks = isProxy ? [] : shared.addConnection(of: address)
    let id = shared.makeID()
    guard let networks,
      let registration = try? loop.watch(
        socket, for: .read, { [weak self] _ in self?.assumeIsolated { $0.ready(id) } })
    else {
      if let networks { shared.removeConnection(of: networks) }
      return shared.removeConnection()
    }
    let connection = Connection(
      id: id, transport: Transport(socket), registration: registration, address: address,
      phase: isProxy ? .proxy(ProxyHeader()) : .handshake,
      headLimit: shared.configuration.headLimit, at: shared.now)
    connection.networks = networks
    connections[id] = connection
    deadlines.opened(id, at: shared.now)
    if !isProxy { beginTLS(connection) }
  }

  // MARK: Closing

  /// Closes a connection; its request continues to be handled, but the answer is dropped.
  func close(_ connection: Connection) {
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    endExchange(connection)
    loop.cancel(connection.registration)
    deadlines.closed(connection.id)
    shared.removeConnection(of: connection.networks)
    shared.removeConnection()
  }

  /// Releases the resources of a request whose answer was sent, or never will be.
  func endExchange(_ connection: Connection) {
    connection.exchange += 1
    connection.incoming?.end(.failure(.connectionClosed))
    connection.incoming?.close()
    connection.pump?.cancel()
    connection.drained?.resume()
    (connection.incoming, connection.pump, connection.drained) = (nil, nil, nil)
    (connection.outgoing, connection.task, connection.request) = (nil, nil, nil)
    guard connection.isInFlight else { return }
    connection.isInFlight = false
    inFlight -= 1
    guard inFlight == 0 else { return }
    for continuation in waitingForDrain { continuation.resume() }
    waitingForDrain = []
  }

  func closeOverdue() {
    for id in deadlines.overdue(at: shared.now) {
      if let connection = connections[id] { close(connection) }
    }
  }

  /// Refuses further requests, and ends the streamed answers, which would not end by themselves.
  func refuseRequests() {
    isRefusing = true
    for connection in connections.values where connection.outgoing?.isStream == true {
      endStream(connection.exchangeID)
    }
  }

  /// Returns after the last request in flight has ended.
  func drained() async {
    guard inFlight > 0 else { return }
    await withCheckedContinuation { waitingForDrain.append($0) }
  }

  /// Cancels all requests and closes all connections and the listening socket.
  func closeAll() {
    isClosed = true
    isRefusing = true
    if let listener { loop.cancel(listener.registration) }
    listener = nil
    loops = []
    for connection in connections.values {
      connection.task?.cancel()
      close(connection)
    }
    for continuation in waitingForDrain { continuation.resume() }
    waitingForDrain = []
  }
}
