/// The deadlines of the open connections, as a value.
///
/// They are absolute, because a slow client never reaches a deadline that starts again with each byte. One is for the
/// end of the headers, and one for the end of the body, extended by the time that the received bytes take at
/// ``Limits/minimumBodyRate``. Others are for the headers of the next request, and for the end of a connection whose
/// request was refused. The deadline of an answer starts again when the client accepts bytes.
struct ConnectionDeadlines {
  struct Limits: Sendable {
    var header: Duration
    var body: Duration
    var idle: Duration
    /// The slowest rate of a body, in bytes per second.
    var minimumBodyRate: Int
    var send = Duration.seconds(60)
    var linger = Duration.seconds(10)
  }

  private let limits: Limits
  private var deadlines: [Int: Duration] = [:]
  private var open: Set<Int> = []

  init(_ limits: Limits) { self.limits = limits }

  var count: Int { open.count }

  mutating func opened(_ id: Int, at now: Duration) {
    open.insert(id)
    deadlines[id] = now + limits.header
  }

  mutating func receivedHead(_ id: Int, at now: Duration) { set(id, now + limits.body) }

  mutating func receivedBody(_ id: Int, bytes: Int) {
    guard let deadline = deadlines[id] else { return }
    deadlines[id] = deadline + .seconds(Double(bytes) / Double(limits.minimumBodyRate))
  }

  /// Removes the deadline, because neither a handler nor a quiet stream has one.
  mutating func receivedEnd(_ id: Int) { deadlines[id] = nil }

  /// Starts the deadline for the client to accept bytes of the answer.
  mutating func sending(_ id: Int, at now: Duration) { set(id, now + limits.send) }

  mutating func answered(_ id: Int, at now: Duration) { set(id, now + limits.idle) }

  mutating func lingering(_ id: Int, at now: Duration) { set(id, now + limits.linger) }

  mutating func closed(_ id: Int) {
    open.remove(id)
    deadlines[id] = nil
  }

  /// Returns each connection once after its deadline has passed.
  mutating func overdue(at now: Duration) -> [Int] {
    let late = deadlines.filter { $0.value <= now }.map(\.key)
    for id in late { deadlines[id] = nil }
    return late
  }

  private mutating func set(_ id: Int, _ deadline: Duration) {
    if open.contains(id) { deadlines[id] = deadline }
  }
}
