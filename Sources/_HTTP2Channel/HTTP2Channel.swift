package import _EventLoop
package import _HTTP2
package import _TLS

/// An HTTP/2 session over TLS over a socket: turns readiness into events and events' answers into
/// writes.
///
/// Not thread-safe: one owner, on one event loop, who watches the socket for ``interest``.
package final class HTTP2Channel {
  /// Output is gathered to this size before TLS sees it: four full records.
  private static let chunk = 64 * 1024
  /// How many times TLS is read, a record each, before what came is dealt with and the loop's other
  /// sockets have their turn: a peer that sends faster than it is read would keep them waiting for ever,
  /// and of a thousand answers the first would wait for the last.
  private let readsPerTurn: Int

  package let socket: Socket
  package let session: HTTP2Session
  /// The handshake is done.
  package private(set) var isOpen = false
  /// The peer has ended the connection.
  package private(set) var isLost = false
  /// When the peer was last heard of.
  package private(set) var lastReceived = ContinuousClock.now
  /// How many bytes of HTTP/2 the socket has taken.
  package private(set) var sentCount = 0
  /// What the socket must be ready for before anything more can happen.
  package private(set) var interest: EventLoop.Readiness
  private let tls: TLSConnection
  /// More has come than was read in one turn, and lies in TLS, of which the socket knows nothing.
  private var isBehind = false
  private var isConnected: Bool
  /// The way through a proxy, until it is open.
  private var tunnel: ProxyTunnel?
  private var input = [UInt8](repeating: 0, count: chunk)
  private var output: [UInt8] = []
  private var written = 0

  /// Starts connecting as a client; with a tunnel the address is the proxy's.
  package init(
    to address: SocketAddress, host: String, trust: TLSContext,
    settings: HTTP2Session.Settings = HTTP2Session.Settings(), tunnel: ProxyTunnel? = nil,
    resuming session: TLSSession? = nil
  ) throws {
    self.tunnel = tunnel
    socket = try Socket.connecting(to: address)
    tls = try TLSConnection(
      client: trust, host: host, fileDescriptor: socket.fileDescriptor, resuming: session)
    self.session = try HTTP2Session(.client, settings: settings)
    isConnected = false
    interest = .write
    // Some two hundred answers.
    readsPerTurn = 1
  }

  /// Takes over an accepted socket as a server.
  package init(
    accepted socket: Socket, certificate: TLSContext, settings: HTTP2Session.Settings
  ) throws {
    self.socket = socket
    tls = try TLSConnection(server: certificate, fileDescriptor: socket.fileDescriptor)
    session = try HTTP2Session(.server, settings: settings)
    isConnected = true
    interest = .read
    // Some three hundred requests.
    readsPerTurn = 8
  }

  /// Goes on with connecting, or reads all that came.
  ///
  /// - Returns: What it meant; call ``flush()`` next.
  /// - Throws: Why the connection cannot go on.
  package func receive() throws -> [HTTP2Session.Event] {
    guard try open() else { return [] }
    var events: [HTTP2Session.Event] = []
    try read(atMost: readsPerTurn, into: &events)
    return events
  }

  /// Reads what the peer said before it closed, once writing has failed: answers, and what it left out.
  package func receiveRest() -> [HTTP2Session.Event] {
    var events: [HTTP2Session.Event] = []
    // A peer that is gone has left a socket's buffer full at most.
    if isOpen { try? read(atMost: 1024, into: &events) }
    return events
  }

  private func read(atMost reads: Int, into events: inout [HTTP2Session.Event]) throws {
    var left = reads
    isBehind = false
    while !isLost {
      guard left > 0 else {
        isBehind = tls.hasPending
        if isBehind { interest.insert(.write) }
        return
      }
      left -= 1
      switch try tls.read(into: &input) {
      case .done(let count):
        lastReceived = .now
        let more = try session.receive(input, count: count)
        if events.isEmpty { events = more } else { events += more }
      case .wantsRead: return
      case .wantsWrite:
        interest.insert(.write)
        return
      case .closed: isLost = true
      }
    }
  }

  private func open() throws -> Bool {
    guard !isOpen else { return true }
    if !isConnected {
      if let error = socket.connectionError { throw error }
      isConnected = true
    }
    guard try openTunnel() else { return false }
    switch try tls.handshake() {
    case .done:
      isOpen = true
      interest = .read
      return true
    case .wantsRead: interest = .read
    case .wantsWrite: interest = .write
    case .closed: throw TLSError(.closed, "the peer closed the connection in the TLS handshake")
    }
    return false
  }

  /// Asks the proxy for the way, where there is one between.
  private func openTunnel() throws -> Bool {
    guard let request = tunnel?.request else { return true }
    while let written = tunnel?.written, written < request.count {
      guard let count = try socket.write(request, from: written) else {
        interest = .write
        return false
      }
      tunnel?.written += count
    }
    interest = .read
    while let count = try socket.read(into: &input) {
      guard count > 0 else {
        throw ProxyError("it closed the connection before a tunnel was open", isLasting: false)
      }
      guard try tunnel?.receive(input.prefix(count)) ?? true else { continue }
      tunnel = nil
      return true
    }
    return false
  }

  /// What the peer showed of itself in the handshake.
  package var peer: TLSPeer? { isOpen ? tls.peer : nil }

  /// Whether something is to be written that the socket has not taken.
  package var isBlocked: Bool { written < output.count }

  /// What a later connection to the same host may begin with; `nil` where the peer offers nothing.
  package var resumableSession: TLSSession? { isOpen ? tls.resumableSession : nil }

  /// Writes as much as the session has and the socket takes.
  package func flush() throws -> [HTTP2Session.Event] {
    guard isOpen else { return [] }
    var events: [HTTP2Session.Event] = []
    while true {
      if written == output.count {
        output.removeAll(keepingCapacity: true)
        written = 0
        events += try session.send(into: &output, upTo: Self.chunk)
        guard !output.isEmpty else {
          // A socket that can be written to is ready at once, so that the reading goes on.
          interest = isBehind ? [.read, .write] : .read
          return events
        }
      }
      switch try tls.write(output, from: written) {
      case .done(let count):
        written += count
        sentCount += count
      case .wantsRead:
        interest = .read
        return events
      case .wantsWrite:
        interest = [.read, .write]
        return events
      case .closed: throw TLSError(.closed, "the peer closed the connection")
      }
    }
  }

  /// Says goodbye, as far as the socket takes it at once.
  package func close() {
    guard isOpen else { return }
    session.submitGoAway()
    _ = try? flush()
    tls.shutdown()
  }
}
