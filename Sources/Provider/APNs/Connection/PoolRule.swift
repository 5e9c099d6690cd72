/// The rule for the number of connections of a pool and for its back-off, without IO.
///
/// The first connection opens with the first push. Another one opens if the waiting pushes would keep the
/// connections busy for longer than ``maxBacklog``, at the rate at which APNs answers. That rate reflects
/// streams, flow-control windows and answer times at once, whichever of them is scarce.
struct PoolRule {
  /// The longest time that the waiting pushes may take before another connection is opened.
  static let maxBacklog = Duration.milliseconds(200)
  let maxConnections: Int
  /// The idle time after which a connection is closed if there are others.
  var idleLimit = Duration.seconds(600)

  struct Load {
    /// The number of pushes that wait for a stream.
    var waiting = 0
    /// The number of connections that take pushes.
    var connections = 0
    /// Whether a connection is being opened, or is still in slow start.
    var isGrowing = false
    /// Answers per second on all connections; `nil` while that is not known.
    var rate: Double?
  }

  /// Whether to open another connection.
  func wantsAnother(_ load: Load) -> Bool {
    guard load.waiting > 0, !load.isGrowing, load.connections < maxConnections else { return false }
    guard load.connections > 0 else { return true }
    guard let rate = load.rate else { return false }
    return Double(load.waiting) > rate * (Self.maxBacklog / .seconds(1))
  }

  /// The room of a connection for pushes.
  struct Room {
    /// The bytes of bodies that its peer takes for now.
    var window: Int
    var inFlight: Int
    /// Whether the socket's buffer is full.
    var isBlocked = false
  }

  /// Whether a push whose body has `size` bytes goes to one connection rather than to another.
  ///
  /// A connection that can send the body whole and now comes first, then the one with fewer pushes in flight. A
  /// body that is sent in part would wait for this peer, although another connection may have room by then.
  static func prefers(_ one: Room, to other: Room, for size: Int) -> Bool {
    func rank(_ room: Room) -> (Int, Int) {
      (room.window >= size && !room.isBlocked ? 0 : 1, room.inFlight)
    }
    return rank(one) < rank(other)
  }

  /// Whether an idle connection may be closed.
  func spares(idleFor idle: Duration, of connections: Int) -> Bool {
    connections > 1 && idle >= idleLimit
  }

  /// The wait before connecting again after a number of failures in a row: 50 ms, doubling to 6.4 s, less up to a half
  /// by `chance`, which is from 0 to 1.
  ///
  /// Apple treats many connections in a short time as an attack. The chance keeps clients that lost their
  /// connections together from coming back together.
  static func backOff(afterFailures failures: Int, chance: Double) -> Duration {
    guard failures > 0 else { return .zero }
    return .milliseconds(50 << min(failures - 1, 7)) * (1 - chance / 2)
  }

  /// The wait of a push after a number of refusals: 5 ms, doubling to 320 ms.
  static func backOff(afterRefusals refusals: Int) -> Duration {
    .milliseconds(5 << min(max(0, refusals - 1), 6))
  }
}

/// The rate of answers, measured over the last 100 ms or more with pushes in flight.
struct AnswerRate {
  static let window = Duration.milliseconds(100)
  /// The time after which a peer that has answered nothing since an idle time counts as one that has stopped.
  static let patience = Duration.seconds(2)

  private var start: ContinuousClock.Instant?
  /// The time since which pushes wait for their first answer after an idle time.
  private var waitsSince: ContinuousClock.Instant?
  private var count = 0
  private var measured: Double?

  /// Answers per second; `nil` while that is not known.
  ///
  /// The rate falls while answers are overdue, down to 0 for a peer that has stopped.
  func perSecond(at now: ContinuousClock.Instant) -> Double? {
    if let waitsSince, waitsSince.duration(to: now) >= Self.patience { return 0 }
    guard let start, start.duration(to: now) >= Self.window else { return measured }
    let current = Double(count) / (start.duration(to: now) / .seconds(1))
    return min(measured ?? current, current)
  }

  /// Counts pushes that were answered.
  mutating func add(_ answers: Int, at now: ContinuousClock.Instant) {
    waitsSince = nil
    guard let start else {
      self.start = now
      return
    }
    count += answers
    let elapsed = start.duration(to: now)
    guard elapsed >= Self.window else { return }
    measured = Double(count) / (elapsed / .seconds(1))
    self.start = now
    count = 0
  }

  /// Notes that pushes are in flight, the first of them after an idle time.
  mutating func begin(at now: ContinuousClock.Instant) {
    if start == nil, waitsSince == nil { waitsSince = now }
  }

  /// Stops measuring while nothing is in flight: the time until the next push is not the peer's.
  mutating func pause() {
    (start, waitsSince) = (nil, nil)
    count = 0
  }
}
