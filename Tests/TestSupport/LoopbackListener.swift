import Foundation
import Glibc
import Synchronization

/// Takes TCP connections on the loopback address at a free port, each on a thread of its own.
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
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
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

  /// How many connections came.
  package var count: Int { state.withLock { $0.count } }

  /// Begins to take connections; one is closed when `serve` returns.
  package func start(_ serve: @escaping @Sendable (_ connection: Int32) -> Void) {
    Thread.detachNewThread { [self] in accept(serve) }
  }

  /// Ends the listening and every connection.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Makes the close of a connection a reset, once the peer has what was sent.
  package static func resetAtClose(_ connection: Int32) {
    var left: Int32 = 1
    while left > 0, ioctl(connection, UInt(TIOCOUTQ), &left) == 0 { sched_yield() }
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  private func accept(_ serve: @escaping @Sendable (Int32) -> Void) {
    while case let connection = Glibc.accept(socket, nil, nil), connection >= 0 {
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
        // First forgotten, then closed: the number may be given out again at once.
        state.withLock { $0.open.removeAll { $0 == connection } }
        close(connection)
      }
    }
  }
}
