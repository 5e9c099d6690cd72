import CPostgreSQL
import Glibc

extension PostgreSQLConnection {
  /// Runs statements without values and results, separated by semicolons, and calls `onWait`
  /// repeatedly until the server has answered.
  ///
  /// `interval` is the time between two calls. `onWait` must not use this connection.
  package func execute(
    _ sql: String, every interval: Duration, onWait: () -> Void
  ) throws(PostgreSQLError) {
    try flush()
    guard unsafe PQsendQuery(connection, sql) == 1 else { throw .broken(sql) }
    var failure: PostgreSQLError?
    while true {
      while unsafe !isBroken && PQisBusy(connection) == 1 {
        if isReadable(within: interval) { _ = readInput() } else { onWait() }
      }
      guard let raw = unsafe PQgetResult(connection) else { break }
      do throws(PostgreSQLError) { _ = unsafe try checked(raw, sql) } catch { failure = error }
    }
    if let failure { throw failure }
    if isBroken { throw .broken(sql) }
  }

  /// Waits until the server has sent something or closed the connection; `false` if neither happens
  /// in time.
  private func isReadable(within interval: Duration) -> Bool {
    var places = [pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
    return unsafe poll(&places, 1, Int32(clamping: interval.milliseconds)) != 0
  }
}
