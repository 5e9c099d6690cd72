import Synchronization

/// A receiver of a client's metrics, set as ``APNsClient/Configuration/metrics``.
///
/// It is called on the client's own thread, so it should count and return. ``APNsCounters`` keeps the numbers in
/// memory; another implementation may pass them to a metrics library.
public protocol APNsMetrics: Sendable {
  /// A push has its outcome.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - topic: The topic of the push.
  ///   - connection: The number of the connection that it was sent on; `nil` if it was not sent.
  ///   - duration: The time from sending to the outcome; `nil` if it was not sent.
  func ended(_ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?)

  /// A connection has opened.
  ///
  /// - Parameter connection: The connection's number, which is unique in a client.
  func opened(connection: Int)

  /// An open connection was closed, after the outcomes of all its pushes.
  ///
  /// - Parameters:
  ///   - connection: The connection's number.
  ///   - reason: Why it was closed, as a text.
  func closed(connection: Int, reason: String)

  /// The number of pushes has changed.
  ///
  /// - Parameters:
  ///   - inFlight: The number of pushes that wait for Apple's answer.
  ///   - waiting: About how many pushes wait for a stream.
  func load(inFlight: Int, waiting: Int)

  /// The configuration has a fault that somebody should repair, such as a key file that others may read.
  ///
  /// - Parameter message: The fault and its remedy, in one line; never contains a key.
  func warned(_ message: String)
}

extension APNsMetrics {
  /// Ignores the warning.
  ///
  /// - Parameter message: The fault and its remedy.
  public func warned(_ message: String) {}
}

/// Counters of a client's pushes and connections, for a metrics endpoint.
public final class APNsCounters: APNsMetrics {
  /// The upper bounds of the histogram's buckets in milliseconds; one more bucket is above them.
  public static let bounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000]

  /// The labels that pushes are counted by.
  public struct Label: Hashable, Sendable {
    /// The topic of the push.
    public let topic: String
    /// The HTTP status; `nil` if APNs did not answer.
    public let status: Int?
    /// Apple's reason; `never-sent` or `maybe-sent` without an answer; empty for a success.
    public let reason: String
  }

  /// A histogram of the durations of answers.
  public struct Durations: Hashable, Sendable {
    /// The counts of the buckets: one for each of ``APNsCounters/bounds``, and one above.
    public var counts = [Int](repeating: 0, count: APNsCounters.bounds.count + 1)
    /// The sum of all durations.
    public var total = Duration.zero

    fileprivate mutating func add(_ duration: Duration) {
      let bucket = APNsCounters.bounds.firstIndex { duration <= .milliseconds($0) }
      counts[bucket ?? APNsCounters.bounds.count] += 1
      total += duration
    }

    fileprivate mutating func add(_ other: Durations) {
      for index in counts.indices { counts[index] += other.counts[index] }
      total += other.total
    }
  }

  /// The counters at one moment.
  public struct Snapshot: Sendable {
    /// The number of ended pushes by label.
    public var ended: [Label: Int] = [:]
    /// The number of ended pushes by open connection.
    public var connections: [Int: Int] = [:]
    /// The number of ended pushes of connections that were closed.
    public var onEndedConnections = 0
    /// The number of connections that were opened.
    public var opened = 0
    /// The number of connections that were closed, by reason.
    public var closed: [String: Int] = [:]
    /// The number of pushes that wait for Apple's answer.
    public var inFlight = 0
    /// About how many pushes wait for a stream.
    public var waiting = 0
    /// The durations of answered pushes by label.
    public var durations: [Label: Durations] = [:]
  }

  /// The most labels; further ones are counted as `other`, because a peer could make up any number of reasons.
  static let maxLabels = 1000

  private let state = Mutex(State())

  /// Makes counters that are all 0.
  public init() {}

  /// The counters now.
  public var snapshot: Snapshot {
    state.withLock { state in
      state.countRun()
      return state.snapshot
    }
  }

  /// Counts a push.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - topic: The topic of the push.
  ///   - connection: The number of the connection that it was sent on.
  ///   - duration: The time from sending to the outcome.
  public func ended(
    _ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?
  ) {
    let reason =
      outcome.reason?.rawValue ?? (outcome.kind == .answered ? "" : outcome.kind.rawValue)
    let label = Label(topic: topic, status: outcome.status, reason: reason)
    let answered = outcome.kind == .answered ? duration : nil
    state.withLock { $0.count(label, connection: connection, duration: answered) }
  }

  /// Counts a connection.
  ///
  /// - Parameter connection: The connection's number.
  public func opened(connection: Int) {
    state.withLock { state in
      state.snapshot.opened += 1
      state.snapshot.connections[connection] = 0
    }
  }

  /// Counts the end of a connection.
  ///
  /// - Parameters:
  ///   - connection: The connection's number.
  ///   - reason: Why it was closed.
  public func closed(connection: Int, reason: String) {
    state.withLock { state in
      state.countRun()
      state.snapshot.close(connection, reason)
    }
  }

  /// Sets the gauges.
  ///
  /// - Parameters:
  ///   - inFlight: The number of pushes that wait for Apple's answer.
  ///   - waiting: About how many pushes wait for a stream.
  public func load(inFlight: Int, waiting: Int) {
    state.withLock { state in
      state.snapshot.inFlight = inFlight
      state.snapshot.waiting = waiting
    }
  }
}

extension APNsCounters {
  /// Consecutive pushes with the same label and connection, as nearly all have: their label is looked up once.
  fileprivate struct Run {
    let label: Label
    let connection: Int?
    var count = 0
    var durations = Durations()
  }

  private struct State {
    /// The counters without the current run.
    var snapshot = Snapshot()
    private var run: Run?

    /// Counts a push; `duration` is `nil` if Apple did not answer it.
    mutating func count(_ label: Label, connection: Int?, duration: Duration?) {
      if run?.label != label || run?.connection != connection {
        countRun()
        run = Run(label: label, connection: connection)
      }
      run?.count += 1
      if let duration { run?.durations.add(duration) }
    }

    mutating func countRun() {
      if let run { snapshot.count(run) }
      run = nil
    }
  }
}

extension APNsCounters.Snapshot {
  fileprivate mutating func count(_ run: APNsCounters.Run) {
    var label = run.label
    if ended[label] == nil, ended.count >= APNsCounters.maxLabels {
      label = APNsCounters.Label(
        topic: "other", status: label.status.map { $0 / 100 * 100 }, reason: "other")
    }
    ended[label, default: 0] += run.count
    if let connection = run.connection { connections[connection]? += run.count }
    if run.durations.counts.contains(where: { $0 > 0 }) {
      durations[label, default: APNsCounters.Durations()].add(run.durations)
    }
  }

  fileprivate mutating func close(_ connection: Int, _ reason: String) {
    onEndedConnections += connections.removeValue(forKey: connection) ?? 0
    let isKnown = closed[reason] != nil || closed.count < APNsCounters.maxLabels
    closed[isKnown ? reason : "other", default: 0] += 1
  }
}
