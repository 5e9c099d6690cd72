import CPostgreSQL
import Foundation
import Glibc
import Synchronization

/// Listens for notifications on a channel, with its own connection and thread.
///
/// A broken connection is replaced. Notifications sent meanwhile are lost, so the handler is also
/// called after each connect.
package final class PostgreSQLListener: Sendable {
  private let url: String
  private let channel: String
  private let onNotification: @Sendable () -> Void
  /// The reading end of a pipe, which becomes readable when ``stop()`` closes the other end.
  private let stopped: Int32
  private let stopping: Mutex<Int32?>

  /// Starts to listen.
  ///
  /// `onNotification` is called on the listener's thread.
  package init(url: String, channel: String, onNotification: @escaping @Sendable () -> Void) {
    self.url = url
    self.channel = channel
    self.onNotification = onNotification
    var ends: [Int32] = [-1, -1]
    // If no descriptors are left for a pipe, the listener stays silent. Callers also poll.
    let isMade = unsafe pipe(&ends) == 0
    // A child process must not keep the pipe open.
    for end in ends where isMade { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopped = ends[0]
    stopping = Mutex(isMade ? ends[1] : nil)
    if isMade { Thread.detachNewThread { [self] in work() } }
  }

  /// Ends the thread soon; the handler is not called after that.
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
      onNotification()
      while !connection.isBroken, !isStopped(within: -1, orReadable: connection.socket) {
        if connection.readsNotification() { onNotification() }
      }
    } while !isStopped(within: pause)
    close(stopped)
  }

  /// Waits, and returns whether ``stop()`` was called.
  ///
  /// `milliseconds` is the longest wait; -1 is no limit. The wait also ends when `socket` becomes
  /// readable.
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
  /// Reads the received bytes, and returns whether they have a notification.
  fileprivate func readsNotification() -> Bool {
    guard readInput() else { return false }
    var isNotified = false
    while removeNotification() { isNotified = true }
    return isNotified
  }
}
