import CLinux
import Glibc
import Synchronization

/// Frames between two processes over one stream socket: a length of four bytes, then that many.
package final class FrameChannel: Sendable {
  /// A longer frame is a fault of the sender.
  package static let maximumBytes = 16 << 20

  private let descriptor: Int32
  private let sending = Mutex(())

  /// Takes over a connected stream socket.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    // A peer that takes nothing, because it is stopped, must not stop this process too.
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { _ = close(descriptor) }

  /// Whether a descriptor that a parent was to leave open is a socket.
  package static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Sends one frame; `false` where the other side is gone or takes nothing any more, which ends the
  /// channel.
  @discardableResult package func send(_ frame: [UInt8]) -> Bool {
    guard frame.count <= Self.maximumBytes, let length = UInt32(exactly: frame.count) else {
      end()
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
    if !isSent { end() }
    return isSent
  }

  /// Waits for the next frame; `nil` at the end, and where what comes is no frame.
  package func receive() -> [UInt8]? {
    guard let head = read(4) else { return nil }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.maximumBytes else { return nil }
    return read(length)
  }

  /// Ends both directions; a `receive` under way, here or there, returns.
  package func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(count, 65_536))
    // Grows as bytes come: an announced length alone takes no memory.
    while bytes.count < count {
      let wanted = min(piece.count, count - bytes.count)
      let got = unsafe Glibc.read(descriptor, &piece, wanted)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return nil }
      if got == count { return Array(piece[..<got]) }
      bytes += piece[..<got]
    }
    return bytes
  }
}
