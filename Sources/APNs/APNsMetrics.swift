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

  private let state = Mutex(Snapshot())

  /// Begins at zero.
  public init() {}

  /// The numbers now.
  public var snapshot: Snapshot { state.withLock { $0 } }

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
    var label = Label(topic: topic, status: outcome.status, reason: reason)
    state.withLock { state in
      if let place = state.ended.index(forKey: label) {
        state.ended.values[place] += 1
      } else {
        if state.ended.count >= Self.maxLabels {
          label = Label(
            topic: "other", status: outcome.status.map { $0 / 100 * 100 }, reason: "other")
        }
        state.ended[label, default: 0] += 1
      }
      if let connection, let place = state.connections.index(forKey: connection) {
        state.connections.values[place] += 1
      }
      guard outcome.kind == .answered, let duration else { return }
      state.durations[label, default: Durations()].add(duration)
    }
  }

  /// Counts a connection.
  ///
  /// - Parameter connection: Its number.
  public func opened(connection: Int) {
    state.withLock { state in
      state.opened += 1
      state.connections[connection] = 0
    }
  }

  /// Counts the end of a connection.
  ///
  /// - Parameters:
  ///   - connection: Its number.
  ///   - reason: Why it ended.
  public func closed(connection: Int, reason: String) {
    state.withLock { state in
      state.onEndedConnections += state.connections.removeValue(forKey: connection) ?? 0
      let known = state.closed[reason] != nil || state.closed.count < Self.maxLabels
      state.closed[known ? reason : "other", default: 0] += 1
    }
  }

  /// Keeps the gauges.
  ///
  /// - Parameters:
  ///   - inFlight: How many pushes wait for Apple's answer.
  ///   - waiting: About how many wait for a stream.
  public func load(inFlight: Int, waiting: Int) {
    state.withLock { state in
      state.inFlight = inFlight
      state.waiting = waiting
    }
  }
}
