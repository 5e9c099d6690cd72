/// When each open connection has to be somewhere, as a value.
///
/// libmicrohttpd counts a byte a second as activity, so its own timeout never ends a trickle.
/// These deadlines are absolute: one to the end of the headers, one to the end of the body (which
/// moves only as fast as bytes come at `minimumBodyRate`), one to the next request's headers.
struct ConnectionDeadlines {
  struct Limits: Sendable {
    var header: Duration
    var body: Duration
    var idle: Duration
    /// Bytes a second.
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

  mutating func headEnded(_ id: Int, at now: Duration) {
    entries[id]?.deadline = now + limits.body
  }

  mutating func bodyCame(_ id: Int, bytes: Int) {
    guard let deadline = entries[id]?.deadline else { return }
    entries[id]?.deadline = deadline + .seconds(Double(bytes) / Double(limits.minimumBodyRate))
  }

  /// The request is whole: how long the answer takes is the handler's affair.
  mutating func requestEnded(_ id: Int) { entries[id]?.deadline = nil }

  mutating func answered(_ id: Int, at now: Duration) {
    entries[id]?.deadline = now + limits.idle
  }

  mutating func closed(_ id: Int) { entries[id] = nil }

  /// The sockets whose time is up, each returned once.
  mutating func overdue(at now: Duration) -> [Int32] {
    let late = entries.filter { $0.value.deadline.map { $0 <= now } ?? false }
    for id in late.keys { entries[id]?.deadline = nil }
    return late.values.map(\.socket)
  }
}
