import _EventLoop
import _TLS

/// The byte stream of an accepted connection, plain or over TLS.
///
/// It is not thread-safe, because only the connection's event loop uses it.
final class Transport {
  enum Reading {
    case bytes(Int)
    /// No bytes are available yet.
    case later
    case closed
  }

  let socket: Socket
  private var tls: TLSConnection?
  /// Whether the TLS handshake is done.
  private var isOpen: Bool
  /// The operations for which TLS waits in addition to those of the connection.
  private(set) var extraInterest: EventLoop.Readiness = []

  init(_ socket: Socket) {
    self.socket = socket
    isOpen = true
  }

  /// Whether bytes were taken from the socket but not read yet.
  var hasPending: Bool { tls?.hasPending ?? false }

  /// Begins TLS with the next byte.
  func startTLS(_ context: TLSContext) throws(TLSError) {
    tls = try TLSConnection(server: context, fileDescriptor: socket.fileDescriptor)
    isOpen = false
  }

  /// Continues the handshake.
  ///
  /// - Returns: Whether it is done.
  /// - Throws: The error that ends the connection.
  func open() throws -> Bool {
    guard !isOpen, let tls else { return true }
    extraInterest = []
    switch try tls.handshake() {
    case .done: isOpen = true
    case .wantsRead: extraInterest = .read
    case .wantsWrite: extraInterest = .write
    case .closed: throw TLSError(.closed, "the peer closed the connection in the TLS handshake")
    }
    return isOpen
  }

  func read(into buffer: inout [UInt8]) throws -> Reading {
    guard let tls else {
      guard let count = try socket.read(into: &buffer) else { return .later }
      return count == 0 ? .closed : .bytes(count)
    }
    extraInterest = []
    switch try tls.read(into: &buffer) {
    case .done(let count): return .bytes(count)
    case .wantsRead: return .later
    case .wantsWrite:
      extraInterest = .write
      return .later
    case .closed: return .closed
    }
  }

  /// Writes as many of `bytes[from...]` as the socket accepts.
  ///
  /// - Returns: The number of bytes; `nil` if the socket accepts none yet.
  func write(_ bytes: [UInt8], from start: Int) throws -> Int? {
    guard let tls else { return try socket.write(bytes, from: start) }
    extraInterest = []
    switch try tls.write(bytes, from: start) {
    case .done(let count): return count
    case .wantsWrite: return nil
    case .wantsRead:
      extraInterest = .read
      return nil
    case .closed: throw TLSError(.closed, "the peer closed the connection")
    }
  }

  /// Ends sending, so that the peer reads the end of the answer.
  func endSending() {
    if isOpen { tls?.shutdown() }
    socket.endSending()
  }

  /// Reads and drops the peer's bytes without decrypting them.
  func discard(into buffer: inout [UInt8]) throws -> Reading {
    guard let count = try socket.read(into: &buffer) else { return .later }
    return count == 0 ? .closed : .bytes(count)
  }
}
