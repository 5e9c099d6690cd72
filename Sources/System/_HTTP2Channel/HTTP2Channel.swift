package import _EventLoop
package import _HTTP2
package import _TLS

/// An HTTP/2 session over TLS over a socket, which turns readiness of the socket into events and writes.
///
/// It is not thread-safe. Its only owner runs on one event loop, and watches the socket for ``interest``.
package final class HTTP2Channel {
  /// The bytes of output that are collected before they are encrypted, which fill four records.
  private static let chunk = 64 * 1024
  /// The number of TLS records that are read before their events are handled and the loop's other sockets get a turn.
  ///
  /// Without a limit, a peer that sends faster than this side reads would keep the other sockets waiting forever.
  /// The first of a thousand answers would wait for the last.
  private let readsPerTurn: Int

  package let socket: Socket
  package let session: HTTP2Session
  /// Whether the TLS handshake is done.
  package private(set) var isOpen = false
  /// Whether the peer has closed the connection.
  package private(set) var isLost = false
  /// The time at which the last bytes arrived from the peer.
  package private(set) var lastReceived = ContinuousClock.now
  /// The number of HTTP/2 bytes that the socket has accepted.
  package private(set) var sentCount = 0
  /// The operations for which the socket must be ready before anything more can happen.
  package private(set) var interest: EventLoop.Readiness
  private let tls: TLSConnection
  /// Whether TLS holds bytes that were not read in this turn; the socket does not become readable for them.
  private var hasUnreadRecords = false
  private var isConnected: Bool
  /// The tunnel through a proxy; `nil` after it was opened, or if the connection is direct.
  private var tunnel: ProxyTunnel?
  private var input = [UInt8](repeating: 0, count: chunk)
  private var output: [UInt8] = []
  private var written = 0

  /// Starts connecting as a client.
  ///
  /// - Parameters:
  ///   - address: The address of the server, or of the proxy if `tunnel` is set.
  ///   - host: The name that the server's certificate must have.
  ///   - trust: The client's TLS context.
  ///   - settings: The settings of the HTTP/2 session.
  ///   - tunnel: The tunnel through a proxy; `nil` if the connection is direct.
  ///   - session: A TLS session of an earlier connection to the same host with the same context.
  /// - Throws: ``SystemError``, ``TLSError`` or ``HTTP2Error`` if the connection cannot be started.
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
    // One record holds about two hundred answers.
    readsPerTurn = 1
  }

  /// Serves an accepted socket.
  package init(
    accepted socket: Socket, certificate: TLSContext, settings: HTTP2Session.Settings
  ) throws {
    self.socket = socket
    tls = try TLSConnection(server: certificate, fileDescriptor: socket.fileDescriptor)
    session = try HTTP2Session(.server, settings: settings)
    isConnected = true
    interest = .read
    // Eight records hold about three hundred requests.
    readsPerTurn = 8
  }

  /// Continues connecting, or reads the received bytes.
  ///
  /// - Returns: The events; call ``flush()`` next.
  /// - Throws: The error that ends the connection.
  package func receive() throws -> [HTTP2Session.Event] {
    guard try open() else { return [] }
    var events: [HTTP2Session.Event] = []
    try read(atMost: readsPerTurn, into: &events)
    return events
  }

  /// After writing has failed, reads the answers and GOAWAY that the peer sent before it closed.
  package func receiveRemaining() -> [HTTP2Session.Event] {
    var events: [HTTP2Session.Event] = []
    // After a peer has disconnected, the kernel holds at most one receive buffer.
    if isOpen { try? read(atMost: 1024, into: &events) }
    return events
  }

  private func read(atMost reads: Int, into events: inout [HTTP2Session.Event]) throws {
    var left = reads
    hasUnreadRecords = false
    while !isLost {
      guard left > 0 else {
        hasUnreadRecords = tls.hasPending
        if hasUnreadRecords { interest.insert(.write) }
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

  /// Asks the proxy for the tunnel, if the connection has one; `false` until it is open.
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
        throw ProxyError("it closed the connection before a tunnel was open", isPermanent: false)
      }
      guard try tunnel?.receive(input.prefix(count)) ?? true else { continue }
      tunnel = nil
      return true
    }
    return false
  }

  /// The certificate that the peer presented in the handshake.
  package var peer: TLSPeer? { isOpen ? tls.peer : nil }

  /// Whether output is waiting for the socket to accept it.
  package var isBlocked: Bool { written < output.count }

  /// A TLS session for a later connection to the same host; `nil` if the peer offers none.
  package var resumableSession: TLSSession? { isOpen ? tls.resumableSession : nil }

  /// Writes the session's output, as much as the socket accepts.
  ///
  /// - Returns: The events caused by sending, such as closed streams.
  /// - Throws: The error that ends the connection.
  package func flush() throws -> [HTTP2Session.Event] {
    guard isOpen else { return [] }
    var events: [HTTP2Session.Event] = []
    while true {
      if written == output.count {
        output.removeAll(keepingCapacity: true)
        written = 0
        events += try session.send(into: &output, upTo: Self.chunk)
        guard !output.isEmpty else {
          // A socket with room to write is immediately ready, so that reading continues in the next turn.
          interest = hasUnreadRecords ? [.read, .write] : .read
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

  /// Sends GOAWAY and TLS close_notify, as much of them as the socket accepts immediately.
  package func close() {
    guard isOpen else { return }
    session.submitGoAway()
    _ = try? flush()
    tls.shutdown()
  }
}
