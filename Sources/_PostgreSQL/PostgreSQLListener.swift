import CPostgreSQL
import Foundation
import Glibc
import Synchronization

/// Hears what is notified on a channel, on a connection and a thread of its own.
///
/// A connection that breaks is made anew; what was notified meanwhile is lost, so the hearer is
/// called once after each connect.
package final class PostgreSQLListener: Sendable {
  private let url: String
  private let channel: String
  private let heard: @Sendable () -> Void
  /// Reads to its end when ``stop()`` closes the writing side.
  private let stopped: Int32
  private let stopping: Mutex<Int32?>

  /// Listens from here on.
  package init(url: String, channel: String, heard: @escaping @Sendable () -> Void) {
    self.url = url
    self.channel = channel
    self.heard = heard
    var ends: [Int32] = [-1, -1]
    // Without a pipe (no descriptors are left) nothing is heard: these are hints.
    let isMade = unsafe pipe(&ends) == 0
    // A program that is started has no use for them, and would keep them open.
    for end in ends where isMade { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopped = ends[0]
    stopping = Mutex(isMade ? ends[1] : nil)
    if isMade { Thread.detachNewThread { [self] in work() } }
  }

  /// Ends the thread soon; nothing is heard afterwards.
  package func stop() {
    stopping.withLock { end in
      if let end { close(end) }
      end = nil
    }
  }

  private func work() {
    var pause: Int32 = 50
    repeat {
      guard let connection = try? PostgreSQLConnection(url: url),
        (try? connection.execute("LISTEN \(channel)")) != nil
      else {
        pause = min(pause * 2, 2000)
        continue
      }
      pause = 50
      heard()
      while !connection.isBroken, !isStopped(within: -1, orReadable: connection.socket) {
        if connection.takesNotice() { heard() }
      }
    } while !isStopped(within: pause)
    close(stopped)
  }

  /// Waits for the end, so many milliseconds (-1: without limit) or until a socket has something.
  private func isStopped(within milliseconds: Int32, orReadable socket: Int32 = -1) -> Bool {
    var places = [
      pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
    ]
    let count = nfds_t(places.count)
    _ = unsafe poll(&places, count, milliseconds)
    return places[0].revents != 0
  }
}

extension PostgreSQLConnection {
  /// Reads what has arrived; whether a notice was in it.
  fileprivate func takesNotice() -> Bool {
    guard readInput() else { return false }
    var isNoticed = false
    while takeNotice() { isNoticed = true }
    return isNoticed
  }
}
