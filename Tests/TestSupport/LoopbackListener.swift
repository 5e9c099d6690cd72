#if os(Linux)
  import Foundation
  import Glibc
  import Synchronization

  /// A TCP listener on a free port of the loopback address that serves each connection on a thread of its own.
  ///
  /// What `serve` wrote reaches the peer: Nagle's algorithm is off, so that the last small write does not
  /// wait for an acknowledgement, and a connection is closed only after the peer's system has acknowledged
  /// all of it. A close with unread input is a reset, which would discard what is still queued.
  package final class LoopbackListener: Sendable {
    private struct State {
      var open: [Int32] = []
      var count = 0
      var isStopped = false
    }

    package let port: UInt16
    private let socket: Int32
    private let state = Mutex(State())

    package init() throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = Self.loopbackAddress()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = socket
      let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
            && getsockname(descriptor, $0, &length) == 0
        }
      }
      guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }

    /// The number of connections that were accepted.
    package var count: Int { state.withLock { $0.count } }

    /// Starts to accept connections; a connection is closed when `serve` returns.
    package func start(_ serve: @escaping @Sendable (_ connection: Int32) -> Void) {
      Thread.detachNewThread { [self] in accept(serve) }
    }

    /// Stops listening and ends every connection.
    package func stop() {
      state.withLock { state in
        state.isStopped = true
        for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
      }
      shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Makes the close of a connection a reset, once the peer has what was written.
    package static func resetAtClose(_ connection: Int32) {
      drain(connection)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// Opens a connection to a port of the loopback address; returns a socket that the caller closes, or `nil`
    /// where nothing listens.
    package static func connect(to port: UInt16) -> Int32? {
      let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = loopbackAddress(port: port)
      let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isConnected else {
        close(descriptor)
        return nil
      }
      disableNagle(descriptor)
      return descriptor
    }

    /// Waits until the peer's system has acknowledged all that was written, or the connection is over.
    private static func drain(_ connection: Int32) {
      var queued: Int32 = 0
      while ioctl(connection, UInt(TIOCOUTQ), &queued) == 0, queued > 0 {
        // The system reports no event when its queue is empty, so this looks again after a millisecond.
        var state = pollfd(fd: connection, events: 0, revents: 0)
        guard poll(&state, 1, 1) == 0 else { return }
      }
    }

    private static func disableNagle(_ connection: Int32) {
      var one: Int32 = 1
      setsockopt(
        connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func loopbackAddress(port: UInt16 = 0) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      address.sin_port = port.bigEndian
      return address
    }

    private func accept(_ serve: @escaping @Sendable (Int32) -> Void) {
      while case let connection = Glibc.accept(socket, nil, nil), connection >= 0 {
        Self.disableNagle(connection)
        let isStopped = state.withLock { state in
          state.open.append(connection)
          state.count += 1
          return state.isStopped
        }
        if isStopped { shutdown(connection, Int32(SHUT_RDWR)) }
        Thread.detachNewThread { [self] in
          // Writing to a peer that is gone is an error, not a signal.
          var signals = sigset_t()
          sigemptyset(&signals)
          sigaddset(&signals, SIGPIPE)
          pthread_sigmask(SIG_BLOCK, &signals, nil)
          serve(connection)
          Self.drain(connection)
          // First forgotten, then closed: the number may be given out again at once.
          state.withLock { $0.open.removeAll { $0 == connection } }
          close(connection)
        }
      }
    }
  }
#endif
