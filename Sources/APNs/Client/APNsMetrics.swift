import Synchronization

/// What a client tells of its work; give one to ``APNsClient/Configuration/metrics``.
///
/// Called on the client's own thread, so it should count and return. ``APNsCounters`` is one that keeps
/// numbers; another hands them to the metrics library of the app.
public protocol APNsMetrics: Sendable {
  /// A push has its outcome.
  ///
  /// - Parameters:
  ///   - outcome: What became of it.
  ///   - topic: Its topic.
  ///   - connection: The number of the connection it was on; `nil` where it never was on one.
  ///   - duration: From its way to the connection to the outcome; `nil` where it never was on one.
  func ended(_ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?)

  /// A connection has opened.
  ///
  /// - Parameter connection: Its number, counted up by the client.
  func opened(connection: Int)

  /// An open connection has ended, and so have all its pushes.
  ///
  /// - Parameters:
  ///   - connection: Its number.
  ///   - reason: Why, in words.
  func closed(connection: Int, reason: String)

  /// How much is going on, told after every change.
  ///
  /// - Parameters:
  ///   - inFlight: How many pushes wait for Apple's answer.
  ///   - waiting: About how many wait for a stream.
  func load(inFlight: Int, waiting: Int)

  /// Something is not as it should be, and a person should see to it: a key that others may read.
  ///
  /// - Parameter message: What it is and what to do, in one line; never a key.
  func warned(_ message: String)
}

extension APNsMetrics {
  /// Does nothing.
  ///
  /// - Parameter message: What is not as it should be.
  public func warned(_ message: String) {}
}

/// Counts what a client does, for a page of metrics.
public final class APNsCounters: APNsMetrics {
  /// The upper bounds of the histogram's buckets in milliseconds; one more bucket is above them.
  public static let bounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000]

  /// What is counted apart.
  public struct Label: Hashable, Sendable {
    /// The push's topic.
    public let topic: String
    /// The status; `nil` without an answer.
    public let status: Int?
    /// Apple's word, else how far the push came: `never-sent` or `maybe-sent`; empty for a success.
    public let reason: String
  }

  /// How long answers took.
  public struct Durations: Hashable, Sendable {
    /// A count for each of ``APNsCounters/bounds``, and one for above.
    public var counts = [Int](repeating: 0, count: APNsCounters.bounds.count + 1)
    /// Their sum.
    public var total = Duration.zero

    fileprivate mutating func add(_ duration: Duration) {
      let bucket = APNsCounters.bounds.firstIndex { duration <= .milliseconds($0) }
      counts[bucket ?? APNsCounters.bounds.count] += 1
      total += duration
    }

    fileprivate mutating func add(_ others: Durations) {
      for place in counts.indices { counts[place] += others.counts[place] }
      total += others.total
    }
  }

  /// The numbers at one moment.
  public struct Snapshot: Sendable {
    /// Ended pushes by what became of them.
    public var ended: [Label: Int] = [:]
    /// Ended pushes by the number of an open connection.
    public var connections: [Int: Int] = [:]
    /// Ended pushes of connections that have ended.
    public var onEndedConnections = 0
    /// How many connections were opened so far.
    public var opened = 0
    /// Why connections ended, and how often.
    public var closed: [String: Int] = [:]
    /// Pushes that wait for Apple's answer.
    public var inFlight = 0
    /// Pushes that wait for a stream, about.
    public var waiting = 0
    /// Answered pushes by what the answer was, and how long it took.
    public var durations: [Label: Durations] = [:]
  }

  /// Reasons beyond as many are counted as `other`: a peer may make up any number.
  static let maxLabels = 1000

  private let state = Mutex(State())

  /// Begins at zero.
  public init() {}

  /// The numbers now.
  public var snapshot: Snapshot {
    state.withLock { state in
      state.countRun()
      return state.snapshot
    }
  }

  /// Counts a push.
  ///
  /// - Parameters:
  ///   - outcome: What became of it.
  ///   - topic: Its topic.
  ///   - connection: The connection it was on.
  ///   - duration: How long it took.
  public func ended(
    _ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?
  ) {
    let reason =
      outcome.reason?.rawValue ?? (outcome.kind == .answered ? "" : outcome.kind.rawValue)
    let label = Label(topic: topic, status: outcome.status, reason: reason)
    let answered = outcome.kind == .answered ? duration : nil
    state.withLock { $0.count(label, connection, answered) }
  }

  /// Counts a connection.
  ///
  /// - Parameter connection: Its number.
  public func opened(connection: Int) {
    state.withLock { state in
      state.snapshot.opened += 1
      state.snapshot.connections[connection] = 0
    }
  }

  /// Counts the end of a connection.
  ///
  /// - Parameters:
  ///   - connection: Its number.
  ///   - reason: Why it ended.
  public func closed(connection: Int, reason: String) {
    state.withLock { state in
      state.countRun()
      state.snapshot.close(connection, reason)
    }
  }

  /// Keeps the gauges.
  ///
  /// - Parameters:
  ///   - inFlight: How many pushes wait for Apple's answer.
  ///   - waiting: About how many wait for a stream.
  public func load(inFlight: Int, waiting: Int) {
    state.withLock { state in
      state.snapshot.inFlight = inFlight
      state.snapshot.waiting = waiting
    }
  }
}

extension APNsCounters {
  /// Pushes in a row that ended alike, as nearly all do: their label is looked up once.
  fileprivate struct Run {
    let label: Label
    let connection: Int?
    var count = 0
    var durations = Durations()
  }

  private struct State {
    /// Without the ``run``.
    var snapshot = Snapshot()
    private var run: Run?

    /// Counts a push, which took so long where Apple answered it.
    mutating func count(_ label: Label, _ connection: Int?, _ duration: Duration?) {
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
