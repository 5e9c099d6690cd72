import Dispatch
import Glibc
import Synchronization

/// A pool of connections to one database, each on its own queue, so that no thread of Swift concurrency
/// waits for the server.
///
/// A connection is made on first use, and replaced after it broke. If the server is away, connecting is
/// retried with doubling pauses while calls wait. Its restart or a failover therefore delays calls without
/// an error. A call is not assigned to a connection until one is ready, so that its own deadline applies,
/// however long an attempt to connect takes.
package final class PostgreSQLPool: Sendable {
  private typealias Instant = ContinuousClock.Instant

  private struct Job {
    let start = Instant.now
    let deadline: PostgreSQLDeadline
    let answer: @Sendable (Result<PostgreSQLConnection, PostgreSQLError>) -> Void
  }

  /// The use of a connection, and its deadline.
  private struct Use {
    let end: Instant?
    let start: Instant
    let socket: Int32
  }

  private struct State {
    var waiting: [Job] = []
    var idle: [Int] = []
    /// The uses of the connections, by the number of the slot.
    var uses: [Int: Use] = [:]
    var deadlines = PoolDeadlines()
    var isWatched = false
    /// The reason why the last attempt to connect failed; `nil` if it succeeded.
    var problem: PostgreSQLError?

    /// Removes and returns the jobs that meet a condition.
    mutating func remove(where isOver: (Job) -> Bool) -> [Job] {
      let over = waiting.filter(isOver)
      if !over.isEmpty { waiting.removeAll(where: isOver) }
      return over
    }
  }

  /// The interval for checking the deadlines of calls.
  private static let watchInterval = DispatchTimeInterval.milliseconds(200)
  /// The time limit for setting up a new connection.
  private static let setUpLimit = Duration.seconds(5)

  private let url: String
  private let patience: Duration
  private let setUp: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Void
  private let state: Mutex<State>
  private let slots: [Slot]
  private let watch = DispatchQueue(label: "martlet.postgresql.watch")

  /// A connection and its queue; the lock is taken only on this queue.
  private final class Slot: Sendable {
    let queue: DispatchQueue
    let connection = Mutex<PostgreSQLConnection?>(nil)
    init(_ number: Int) { queue = DispatchQueue(label: "martlet.postgresql.\(number)") }
  }

  /// Makes a pool of at most `size` connections, without connecting yet.
  ///
  /// `url` is an address in libpq's form. `patience` is how long a call without a deadline waits for a
  /// reachable server; with zero, every call fails with the first attempt. `setUp` runs on each new
  /// connection before its use. If it throws an error, the call ends at once, unless the server is away.
  package init(
    url: String, size: Int, patience: Duration = .seconds(20),
    setUp: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Void = {
      (_) throws(PostgreSQLError) in
    }
  ) {
    self.url = url
    self.patience = patience
    self.setUp = setUp
    slots = (0..<max(1, size)).map(Slot.init)
    state = Mutex(State(idle: Array(slots.indices)))
  }

  /// The deadline for a call that begins now.
  ///
  /// `end` is the deadline of the work that the call is for, such as a request; `nil` waits for the answer
  /// without a limit.
  package func deadline(_ end: ContinuousClock.Instant?) -> PostgreSQLDeadline {
    let patient = ContinuousClock.now + patience
    return PostgreSQLDeadline(connection: end.map { min($0, patient) } ?? patient, answer: end)
  }

  /// Makes current and later calls end within a time limit.
  package func close(within limit: Duration) {
    state.withLock { $0.deadlines.close(limit, at: .now) }
  }

  /// Runs a body on a connection that is not known to be broken.
  ///
  /// `deadline` is by default that of a call that begins now.
  ///
  /// - Throws: The error of the body, or a ``PostgreSQLError`` if no server could be reached or the server
  ///   did not answer in time.
  package func run<T: Sendable>(
    _ deadline: PostgreSQLDeadline? = nil,
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> T
  ) async throws -> T {
    let deadline = deadline ?? self.deadline(nil)
    let result: Result<T, any Error> = await withCheckedContinuation { continuation in
      let job = Job(deadline: deadline) { connection in
        continuation.resume(returning: Result { try body(connection.get()) })
      }
      let (free, begins) = state.withLock { state in
        state.waiting.append(job)
        defer { state.isWatched = true }
        return (state.idle.popLast(), !state.isWatched)
      }
      if begins { watchLater() }
      if let free { slots[free].queue.async { self.work(free) } }
    }
    do {
      return try result.get()
    } catch let error as PostgreSQLError
      where error.code == .connectionFailure && !error.isOfConnecting
      && deadline.hasPassed(at: .now)
    {
      throw PostgreSQLError(
        code: .connectionFailure, message: "the server did not answer in time", sql: error.sql)
    }
  }

  /// Runs waiting jobs on a connection, the earliest first, until none is left.
  private func work(_ number: Int) {
    slots[number].connection.withLock { connection in
      while makeReady(&connection, number), let ready = connection {
        let socket = ready.socket
        let job: Job? = state.withLock { state in
          guard !state.waiting.isEmpty else { return nil }
          let job = state.waiting.removeFirst()
          state.uses[number] = Use(end: job.deadline.answer, start: .now, socket: socket)
          return job
        }
        guard let job else { continue }
        job.answer(.success(ready))
        let isBroken = ready.isBroken
        state.withLock { state in
          state.uses[number] = nil
          if isBroken { state.deadlines.unanswered() } else { state.deadlines.answered() }
        }
      }
    }
  }

  // MARK: Connecting

  /// Connects if the slot has no connection, and repeats this while jobs wait.
  ///
  /// - Returns: `false` if no job is waiting; the slot is then idle.
  private func makeReady(_ connection: inout PostgreSQLConnection?, _ number: Int) -> Bool {
    var pause = Duration.milliseconds(50)
    while true {
      let isNeeded = state.withLock { state in
        if state.waiting.isEmpty { state.idle.append(number) }
        return !state.waiting.isEmpty
      }
      guard isNeeded else { return false }
      if let connection, !connection.isBroken { return true }
      connection = nil
      do throws(PostgreSQLError) {
        connection = try connect(number)
        state.withLock { $0.problem = nil }
        return true
      } catch {
        guard failed(error) else { continue }
        // Only this connection uses the queue, so nothing else is delayed.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(pause.milliseconds))
        pause = min(pause * 2, .seconds(2))
      }
    }
  }

  private func connect(_ number: Int) throws(PostgreSQLError) -> PostgreSQLConnection {
    let new = try PostgreSQLConnection(url: url)
    let (start, socket) = (ContinuousClock.now, new.socket)
    state.withLock {
      $0.uses[number] = Use(end: start + Self.setUpLimit, start: start, socket: socket)
    }
    // This happens before the socket is closed, because another one may get its number.
    defer { withExtendedLifetime(new) { state.withLock { $0.uses[number] = nil } } }
    try setUp(new)
    return new
  }

  /// Ends the jobs for which an attempt to connect has failed.
  ///
  /// - Returns: Whether another attempt may succeed.
  private func failed(_ error: PostgreSQLError) -> Bool {
    let isOutage = error.code.isOutage
    let over = state.withLock { state in
      state.problem = error
      state.deadlines.unanswered()
      guard isOutage else { return state.waiting.isEmpty ? [] : [state.waiting.removeFirst()] }
      // A call without patience makes only one attempt.
      return patience == .zero ? state.remove { _ in true } : []
    }
    for job in over { job.answer(.failure(error)) }
    return isOutage
  }

  // MARK: Deadlines

  private func watchLater() {
    watch.asyncAfter(deadline: .now() + Self.watchInterval) { self.endOverdue() }
  }

  /// Ends the calls whose deadline has passed, and checks again later while there are calls.
  private func endOverdue() {
    let now = ContinuousClock.now
    let (over, problem, goesOn) = state.withLock { state in
      let deadlines = state.deadlines
      for use in state.uses.values {
        let end = deadlines.end(of: use.end, from: use.start)
        // A call that waits for the server then returns at once, as if the server had closed the connection.
        if let end, end <= now { shutdown(use.socket, Int32(SHUT_RDWR)) }
      }
      let over = state.remove { job in
        // A call without patience ends with the current attempt.
        let own = patience == .zero ? job.deadline.answer : job.deadline.connection
        return deadlines.end(of: own, from: job.start).map { $0 <= now } ?? false
      }
      state.isWatched = !state.waiting.isEmpty || !state.uses.isEmpty
      return (over, state.problem, state.isWatched)
    }
    for job in over { job.answer(.failure(problem ?? .busy)) }
    if goesOn { watchLater() }
  }
}

extension PostgreSQLError {
  /// The error if all connections are in use, or if the server does not answer a new one.
  fileprivate static let busy = PostgreSQLError(
    code: .connectionFailure,
    message: "no connection became free in time: the server does not answer, or is too slow",
    sql: "")
}

extension Duration {
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
