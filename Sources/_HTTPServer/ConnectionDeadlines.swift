/// The deadlines of the open connections, as a value.
///
/// libmicrohttpd's own timeout starts again with each byte, so that a slow client never reaches it.
/// These deadlines are absolute: for the end of the headers, for the end of the body (extended by
/// the time that the received bytes take at ``Limits/minimumBodyRate``), and for the headers of the
/// next request.
struct ConnectionDeadlines {
  struct Limits: Sendable {
    var header: Duration
    var body: Duration
    var idle: Duration
    /// The slowest rate of a body, in bytes a second.
    var minimumBodyRate: Int
  }

  private struct Entry {
    let socket: Int32
    var deadline: Duration?
  }

  private let limits: Limits
  private var entries: [Int: Entry] = [:]

  init(_ limits: Limits) { self.limits = limits }

  var count: Int { entries.count }

  mutating func opened(_ id: Int, socket: Int32, at now: Duration) {
    entries[id] = Entry(socket: socket, deadline: now + limits.header)
  }

  mutating func receivedHead(_ id: Int, at now: Duration) {
    entries[id]?.deadline = now + limits.body
  }

  mutating func receivedBody(_ id: Int, bytes: Int) {
    guard let deadline = entries[id]?.deadline else { return }
    entries[id]?.deadline = deadline + .seconds(Double(bytes) / Double(limits.minimumBodyRate))
  }

  /// The request is complete, and the handler has no deadline.
  mutating func receivedEnd(_ id: Int) { entries[id]?.deadline = nil }

  mutating func answered(_ id: Int, at now: Duration) {
    entries[id]?.deadline = now + limits.idle
  }

  mutating func closed(_ id: Int) { entries[id] = nil }

  /// Returns the sockets whose deadline has passed, each once.
  mutating func overdue(at now: Duration) -> [Int32] {
    let late = entries.filter { $0.value.deadline.map { $0 <= now } ?? false }
    for id in late.keys { entries[id]?.deadline = nil }
    return late.values.map(\.socket)
  }
}
