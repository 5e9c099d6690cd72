import CLinux
import Glibc
import Synchronization

/// A channel for frames between two processes over a stream socket.
///
/// A frame is its length in four bytes, little-endian, followed by that many bytes.
package final class FrameChannel: Sendable {
  /// The maximum length of a frame in bytes.
  package static let maximumBytes = 16 << 20

  private let descriptor: Int32
  private let sending = Mutex(())

  /// Creates a channel that owns a connected stream socket.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    // A peer that does not read, for example because it is stopped, must not block this process forever.
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { _ = close(descriptor) }

  /// Whether a descriptor, which a parent process may have left open, is a socket.
  package static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Sends a frame, or ends the channel if the peer has ended or does not read.
  ///
  /// - Returns: Whether the frame was sent.
  @discardableResult package func send(_ frame: [UInt8]) -> Bool {
    guard frame.count <= Self.maximumBytes, let length = UInt32(exactly: frame.count) else {
      shutDown()
      return false
    }
    let bytes = unsafe withUnsafeBytes(of: length.littleEndian) { unsafe Array($0) } + frame
    let isSent = sending.withLock { _ in
      var sent = 0
      while sent < bytes.count {
        let count = unsafe bytes.withUnsafeBytes {
          unsafe Glibc.send(
            descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
            Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
    if !isSent { shutDown() }
    return isSent
  }

  /// Waits for the next frame; `nil` if the channel has ended or the frame is invalid.
  package func receive() -> [UInt8]? {
    guard let head = read(4) else { return nil }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.maximumBytes else { return nil }
    return read(length)
  }

  /// Shuts down both directions; a `receive` in progress at either end returns.
  package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(count, 65_536))
    // The array grows with the received bytes, so that an announced length alone takes no memory.
    while bytes.count < count {
      let wanted = min(piece.count, count - bytes.count)
      let received = unsafe Glibc.read(descriptor, &piece, wanted)
      if received < 0, errno == EINTR { continue }
      guard received > 0 else { return nil }
      if received == count { return Array(piece[..<received]) }
      bytes += piece[..<received]
    }
    return bytes
  }
}
