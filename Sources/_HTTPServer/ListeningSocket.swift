import Glibc

/// A bound, listening socket, made here so that a port in use has an error of its own.
struct ListeningSocket: ~Copyable {
  private let descriptor: Int32
  let port: UInt16

  init(host: String, port: UInt16) throws(HTTPServerError) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = unsafe found
    else {
      throw HTTPServerError(
        code: .addressUnusable,
        message: "\(host) is not an address of this machine; use 127.0.0.1, ::1 or 0.0.0.0")
    }
    defer { unsafe freeaddrinfo(address) }

    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = unsafe Glibc.socket(address.pointee.ai_family, type, 0)
    guard socket >= 0 else { throw Self.failure(errno, host: host, port: port) }
    var on: Int32 = 1
    unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard unsafe bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
      listen(socket, SOMAXCONN) == 0
    else {
      let failure = Self.failure(errno, host: host, port: port)
      close(socket)
      throw failure
    }
    descriptor = socket
    self.port = Self.port(of: socket)
  }

  deinit { close(descriptor) }

  /// Returns another descriptor of the socket, which the caller closes.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  /// Stops listening, for every descriptor of the socket.
  func shutDown() { Self.shutDown(descriptor) }

  /// Shuts a connection down in both directions; its owner then reads the end and closes it.
  static func shutDown(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

  private static func port(of socket: Int32) -> UInt16 {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    unsafe withUnsafeMutablePointer(to: &address) { storage in
      _ = unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(socket, $0, &length)
      }
    }
    // The port is at the same offset in both address families.
    return unsafe withUnsafeBytes(of: &address) {
      UInt16(bigEndian: unsafe $0.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  private static func failure(_ number: Int32, host: String, port: UInt16) -> HTTPServerError {
    switch number {
    case EADDRINUSE:
      HTTPServerError(
        code: .addressInUse,
        message: "port \(port) on \(host) is in use; stop what listens there, or take port 0")
    case EACCES:
      HTTPServerError(
        code: .addressUnusable,
        message: "port \(port) needs privileges; take one above 1023")
    default:
      HTTPServerError(
        code: .addressUnusable,
        message:
          "cannot listen on \(host) port \(port): \(unsafe String(cString: strerror(number)))"
      )
    }
  }
}
