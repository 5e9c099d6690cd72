/// How many connections there shall be: a rule over what is measured, without IO.
///
/// The first opens with the first push. Another one opens where the pushes that wait would keep those
/// there are busy for longer than ``patience``, by the rate at which APNs answers. So it follows streams,
/// bytes in flight and answer times at once: whatever is scarce shows in the rate.
struct PoolRule {
  /// How long a backlog may take.
  static let patience = Duration.milliseconds(200)
  let maxConnections: Int
  /// How long a connection beside others may be without a push.
  var idleLimit = Duration.seconds(600)

  struct Load {
    /// How many pushes wait for a stream.
    var waiting = 0
    /// How many connections take pushes.
    var connections = 0
    /// Whether one is being opened, or has not yet learned how many streams it may have.
    var isGrowing = false
    /// Answers a second on all connections; `nil` while it is not known.
    var rate: Double?
  }

  /// Whether to open one more.
  func wantsAnother(_ load: Load) -> Bool {
    guard load.waiting > 0, !load.isGrowing, load.connections < maxConnections else { return false }
    guard load.connections > 0 else { return true }
    guard let rate = load.rate else { return false }
    return Double(load.waiting) > rate * (Self.patience / .seconds(1))
  }

  /// What one that may have another push has room for.
  struct Room {
    /// How many bytes of bodies its peer takes for now.
    var window: Int
    var inFlight: Int
    /// Whether the socket takes nothing for now.
    var isBlocked = false
  }

  /// Whether a push whose body has so many bytes rather goes to the one than to the other: where fewer are
  /// in flight.
  ///
  /// First come those that can send the body whole, and now: what is begun on another waits there for that
  /// peer alone, though a third may have room by then.
  static func prefers(_ one: Room, to other: Room, for size: Int) -> Bool {
    func rank(_ room: Room) -> (Int, Int) {
      (room.window >= size && !room.isBlocked ? 0 : 1, room.inFlight)
    }
    return rank(one) < rank(other)
  }

  /// Whether one that idles may go.
  func spares(idleFor idle: Duration, of connections: Int) -> Bool {
    connections > 1 && idle >= idleLimit
  }

  /// How long to wait before connecting again after a number of failures in a row: 50 ms, doubling to
  /// 6.4 s, of which chance takes up to a half.
  ///
  /// Apple takes many connections in a short time for an attack, and many clients that come back at the
  /// same moment are one.
  static func backOff(afterFailures failures: Int, chance: Double) -> Duration {
    guard failures > 0 else { return .zero }
    return .milliseconds(50 << min(failures - 1, 7)) * (1 - chance / 2)
  }

  /// How long a push waits that was refused so often: 5 ms, doubling to 320 ms.
  static func backOff(afterRefusals refusals: Int) -> Duration {
    .milliseconds(5 << min(max(0, refusals - 1), 6))
  }
}

/// How fast answers come, by the last tenth of a second or more that was busy.
struct AnswerRate {
  static let window = Duration.milliseconds(100)

  private var start: ContinuousClock.Instant?
  private var count = 0
  private var measured: Double?

  /// Answers a second; `nil` while it is not known.
  ///
  /// Where answers are overdue it falls, down to nothing for a peer that has stopped.
  func perSecond(at now: ContinuousClock.Instant) -> Double? {
    guard let start, start.duration(to: now) >= Self.window else { return measured }
    let current = Double(count) / (start.duration(to: now) / .seconds(1))
    return min(measured ?? current, current)
  }

  /// Some pushes were answered.
  mutating func add(_ answers: Int, at now: ContinuousClock.Instant) {
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

  /// Nothing is in flight any more: the time until the next push is not the peer's.
  mutating func pause() {
    start = nil
    count = 0
  }
}
