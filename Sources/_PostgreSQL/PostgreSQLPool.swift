import Dispatch
import Synchronization

/// A pool of connections to one database, each on a queue of its own, so that no thread of Swift
/// concurrency waits for the server.
///
/// A connection is made when it is first needed and replaced where it broke. Where the server is away,
/// attempts are repeated, with pauses that double, for as long as the pool's patience lasts; so its
/// restart, or a failover, delays calls without an error.
package final class PostgreSQLPool: Sendable {
  private typealias Job = @Sendable (Result<PostgreSQLConnection, PostgreSQLError>) -> Void

  private struct State {
    var waiting: [Job] = []
    var idle: [Int] = []
  }

  private let url: String
  private let patience: Duration
  private let setUp: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Void
  private let state: Mutex<State>
  private let slots: [Slot]

  /// A connection and its queue, on which alone the lock is taken.
  private final class Slot: Sendable {
    let queue: DispatchQueue
    let connection = Mutex<PostgreSQLConnection?>(nil)
    init(_ number: Int) { queue = DispatchQueue(label: "martlet.postgresql.\(number)") }
  }

  /// Makes a pool of at most `size` connections, without connecting yet.
  ///
  /// `url` is an address in libpq's form. `patience` is how long a call waits until a server can be
  /// reached; zero makes one attempt. `setUp` runs on each new connection before it is used; an error
  /// that it throws ends the call at once, unless the server is away.
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

  /// Runs a body on a connection that has not broken so far.
  ///
  /// - Throws: The error of the body, or a ``PostgreSQLError`` where no server could be reached.
  package func run<T: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> T
  ) async throws -> T {
    let result: Result<T, any Error> = await withCheckedContinuation { continuation in
      let job: Job = { connection in
        continuation.resume(returning: Result { try body(connection.get()) })
      }
      let free = state.withLock { state in
        state.waiting.append(job)
        return state.idle.popLast()
      }
      if let free { slots[free].queue.async { self.work(free) } }
    }
    return try result.get()
  }

  /// Runs waiting jobs on a connection, the earliest first, until none waits.
  private func work(_ number: Int) {
    while true {
      let job: Job? = state.withLock { state in
        guard !state.waiting.isEmpty else {
          state.idle.append(number)
          return nil
        }
        return state.waiting.removeFirst()
      }
      guard let job else { return }
      slots[number].connection.withLock { connection in
        do throws(PostgreSQLError) {
          let ready = try connect(&connection)
          job(.success(ready))
        } catch {
          job(.failure(error))
        }
      }
    }
  }

  private func connect(
    _ connection: inout PostgreSQLConnection?
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection, !connection.isBroken { return connection }
    connection = nil
    let end = ContinuousClock.now + patience
    var pause = Duration.milliseconds(50)
    while true {
      do throws(PostgreSQLError) {
        let new = try PostgreSQLConnection(url: url)
        try setUp(new)
        connection = new
        return new
      } catch {
        guard error.code.isOutage, ContinuousClock.now + pause < end else { throw error }
        // The queue is the connection's own, so nothing else is delayed.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(pause.milliseconds))
        pause = min(pause * 2, .seconds(2))
      }
    }
  }
}

extension Duration {
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
