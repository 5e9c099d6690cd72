import _HTTP2
import _HTTP2Channel
import _TLS

/// The connections to one APNs host, by their numbers, and the rate at which they answer.
struct ConnectionPool {
  private(set) var connections: [Int: Connection] = [:]
  private var rate = AnswerRate()
  private let rule: PoolRule
  /// After this long without the first answer a connection no longer counts as starting.
  private let startLimit: Duration

  init(_ configuration: APNsClient.Configuration) {
    rule = PoolRule(
      maxConnections: max(1, configuration.maxConnections), idleLimit: configuration.idleLimit)
    startLimit = configuration.keepAlive.silence
  }

  /// The connections that are open and not retired.
  var usable: [(id: Int, connection: Connection)] {
    var usable: [(id: Int, connection: Connection)] = []
    for (id, connection) in connections where connection.takesPushes {
      usable.append((id, connection))
    }
    return usable
  }

  var hasUsable: Bool { connections.values.contains(where: \.takesPushes) }
  /// Whether no push is in flight.
  var isIdle: Bool { connections.values.allSatisfy(\.state.isIdle) }
  var inFlightCount: Int { connections.values.reduce(0) { $0 + $1.state.inFlightCount } }
  /// The pushes that are in flight.
  var inFlight: Set<PushKey> { Set(connections.values.flatMap(\.state.inFlightKeys)) }

  mutating func insert(_ connection: Connection, _ id: Int) { connections[id] = connection }

  mutating func remove(_ id: Int) -> Connection? { connections.removeValue(forKey: id) }

  /// Counts pushes that APNs has answered.
  mutating func addAnswers(_ count: Int) { rate.add(count, at: .now) }

  /// Stops measuring the answer rate while no push is in flight, and begins when one is.
  mutating func measureRateWhileBusy() {
    if isIdle { rate.pause() } else { rate.begin(at: .now) }
  }

  /// Whether to open another connection for the pushes that wait for a stream.
  func wantsAnother(
    waiting: Int, isConnecting: Bool, at now: ContinuousClock.Instant
  ) -> Bool {
    let usable = connections.values.filter(\.takesPushes)
    // A connection that never answers its first push must not keep others from being opened.
    let isLate = { (connection: Connection) in
      connection.state.isStarting && connection.lastAnswered.duration(to: now) >= startLimit
    }
    let isStuck = !usable.isEmpty && usable.allSatisfy(isLate)
    return rule.wantsAnother(
      PoolRule.Load(
        waiting: waiting, connections: usable.count,
        isGrowing: isConnecting || usable.contains { $0.state.isStarting && !isLate($0) },
        rate: isStuck ? 0 : rate.perSecond(at: now)))
  }

  /// Retires connections that have been idle for too long, except the last one.
  func retireIdle(at now: ContinuousClock.Instant) {
    for connection in connections.values where connection.takesPushes && connection.state.isIdle {
      let count = connections.values.count { $0.takesPushes }
      if rule.spares(idleFor: connection.lastUsed.duration(to: now), of: count) {
        connection.state.retire("idle")
      }
    }
  }

  /// A TLS session of an open connection that was made with these credentials.
  func resumableSession(of trust: TLSContext) -> TLSSession? {
    for connection in connections.values
    where connection.channel.isOpen && connection.trust === trust {
      if let session = connection.channel.resumableSession { return session }
    }
    return nil
  }
}
