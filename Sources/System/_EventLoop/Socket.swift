import CLinux
import Glibc

/// A nonblocking TCP socket, which is closed when its object is released.
package final class Socket: Sendable {
  package let fileDescriptor: Int32

  private init(_ fileDescriptor: Int32) { self.fileDescriptor = fileDescriptor }
  deinit { _ = close(fileDescriptor) }

  /// Starts connecting, after which the socket becomes writable; ``connectionError`` says whether it failed.
  package static func connecting(to address: SocketAddress) throws(SystemError) -> Socket {
    let socket = try make(address)
    socket.set(Int32(IPPROTO_TCP), TCP_NODELAY)
    let result = unsafe address.withPointer { unsafe connect(socket.fileDescriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else { throw SystemError("connect") }
    return socket
  }

  /// Listens on an address; port 0 chooses a free port, which ``localPort`` returns.
  package static func listening(on address: SocketAddress) throws(SystemError) -> Socket {
    let socket = try make(address)
    socket.set(SOL_SOCKET, SO_REUSEADDR)
    guard unsafe address.withPointer({ unsafe bind(socket.fileDescriptor, $0, $1) }) == 0 else {
      throw SystemError("bind")
    }
    guard listen(socket.fileDescriptor, 1024) == 0 else { throw SystemError("listen") }
    return socket
  }

  /// Accepts the next connection; `nil` if no connection is waiting.
  package func accepted() throws(SystemError) -> Socket? {
    let accepted = martlet_accept(fileDescriptor)
    guard accepted >= 0 else {
      switch errno {
      case EAGAIN, EINTR, ECONNABORTED: return nil
      default: throw SystemError("accept")
      }
    }
    let socket = Socket(accepted)
    socket.set(Int32(IPPROTO_TCP), TCP_NODELAY)
    return socket
  }

  /// Reads available bytes into the buffer and returns their number; 0 if the peer has closed, `nil` if no bytes are
  /// available yet.
  package func read(into buffer: inout [UInt8]) throws(SystemError) -> Int? {
    let count = unsafe recv(fileDescriptor, &buffer, buffer.count, 0)
    if count >= 0 { return count }
    guard errno == EAGAIN || errno == EINTR else { throw SystemError("read") }
    return nil
  }

  /// Writes as many of `bytes[from...]` as the kernel accepts and returns their number; `nil` if it accepts none yet.
  package func write(_ bytes: [UInt8], from start: Int) throws(SystemError) -> Int? {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe send(
        fileDescriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
        Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    guard errno == EAGAIN || errno == EINTR else { throw SystemError("write") }
    return nil
  }

  /// Returns the next byte without removing it; `nil` if no byte is available yet, and an empty array if the peer has
  /// closed.
  package func peek() throws(SystemError) -> [UInt8]? {
    var byte: UInt8 = 0
    let count = unsafe recv(fileDescriptor, &byte, 1, Int32(MSG_PEEK))
    if count >= 0 { return count == 0 ? [] : [byte] }
    guard errno == EAGAIN || errno == EINTR else { throw SystemError("read") }
    return nil
  }

  /// Ends sending, so that the peer reads the end; reading is still possible.
  package func endSending() { _ = shutdown(fileDescriptor, Int32(SHUT_WR)) }

  /// The numeric address of the peer, such as `127.0.0.1` or `::1`; `nil` if the peer has disconnected.
  package var remoteHost: String? {
    unsafe SocketAddress { unsafe getpeername(fileDescriptor, $0, $1) }?.numericHost
  }

  /// The error of connecting; `nil` if it succeeded.
  package var connectionError: SystemError? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    _ = unsafe getsockopt(fileDescriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code == 0 ? nil : SystemError("connect", code: code)
  }

  /// The port of this end.
  package var localPort: UInt16 {
    unsafe SocketAddress { unsafe getsockname(fileDescriptor, $0, $1) }?.port ?? 0
  }

  /// Makes the peer see a reset when the socket closes; bytes that wait in the kernel are dropped.
  package func resetOnClose() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      fileDescriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  private static func make(_ address: SocketAddress) throws(SystemError) -> Socket {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let made = socket(address.family, kind, 0)
    guard made >= 0 else { throw SystemError("socket") }
    return Socket(made)
  }

  private func set(_ level: Int32, _ option: Int32) {
    var one: Int32 = 1
    _ = unsafe setsockopt(fileDescriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }
}
