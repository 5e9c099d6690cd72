package import PushModel
package import Synchronization
import _EventLoop
package import _SQLite

/// A connection with its own serial queue, so that no thread of Swift concurrency waits for the disk.
///
/// Writes that arrive while a transaction commits share the next transaction, and therefore at most one sync to the
/// disk. If one of them fails, all run again, each in a savepoint, so that the others succeed. Writes of tasks of low
/// priority, such as the batches of campaigns, have transactions of their own, each after one of the other writes, so
/// that a request does not wait for all of them.
package final class DatabaseQueue: Sendable {
  private struct Write {
    /// Whether the write must be on the disk, whatever its value.
    let isAlwaysSynced: Bool
    /// Runs the write in the transaction.
    ///
    /// `finish` must be called with the transaction's error or `nil`. `mustSync` says whether the value of the write
    /// requires it to be on the disk.
    let run:
      @Sendable (SQLiteConnection, Isolation) -> (
        finish: Finish, failure: (any Error)?, mustSync: Bool
      )
  }
  private typealias Finish = @Sendable ((any Error)?) -> Void

  private enum Isolation { case none, savepoint }

  /// A function that runs work after earlier work, and returns without waiting for it.
  package typealias Runner = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// The most writes in one transaction, which limits the wait of the first of them.
  private static let groupLimit = 512

  private let later: Runner
  private let connection: Mutex<SQLiteConnection>
  private let waiting = Mutex(WaitingWrites<Write>())
  private let reads = Atomic(0)
  /// The number of waiting and running reads.
  var readsUnderWay: Int { reads.load(ordering: .relaxed) }
  /// The number of committed transactions.
  package let commits = Mutex(0)
  private let recentWrite = RecentWrite()
  /// Whether the disk took the last synced write within the last second.
  var hasJustWritten: Bool { recentWrite.isKnown }
  /// Whether the last writes of ``write(syncedIf:_:)`` had to be synced, which makes it likely for the next ones of the
  /// same priority.
  private let expectsSync = Mutex((usual: false, low: false))
  /// The number of writes that wait for the next commit.
  package var waitingCount: Int { waiting.withLock(\.count) }

  /// A function that is called after each commit, before the next one, with the number of pages in the log.
  private let logGrew: @Sendable (_ pages: Int, SQLiteConnection) -> Void

  /// Makes a queue over a connection.
  ///
  /// `runner` runs the queue's work; `nil` makes a thread for it, with the label that debuggers show.
  package init(
    _ connection: sending SQLiteConnection, label: String, yields: Bool = true,
    runner: Runner? = nil,
    logGrew: @escaping @Sendable (_ pages: Int, SQLiteConnection) -> Void = { _, _ in }
  ) {
    self.connection = Mutex(connection)
    later = runner ?? WorkQueue(label: label, yields: yields).async
    self.logGrew = logGrew
  }

  /// Runs a body later, without waiting for it.
  func runLater(_ body: @escaping @Sendable (SQLiteConnection) -> Void) {
    later { self.connection.withLock { body($0) } }
  }

  /// Runs a body that only reads.
  package func read<T: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> T
  ) async throws(StoreError) -> T {
    reads.add(1, ordering: .relaxed)
    defer { reads.subtract(1, ordering: .relaxed) }
    let result: Result<T, any Error> = await withCheckedContinuation { continuation in
      later {
        continuation.resume(
          returning: self.connection.withLock { connection in Result { try body(connection) } })
      }
    }
    return try Self.value(of: result)
  }

  /// Runs a body that reads a few rows by key on the calling thread; `nil` if the connection is in use.
  package func readNow<T: Sendable>(
    _ body: @Sendable (SQLiteConnection) throws -> T
  ) throws(StoreError) -> T? {
    guard readsUnderWay == 0 else { return nil }
    let result = connection.withLockIfAvailable { connection in Result { try body(connection) } }
    return try result.map { result throws(StoreError) in try Self.value(of: result) }
  }

  /// Runs a body that writes, which may run several times, and returns when the write is on the disk.
  package func write<T: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(mustSync: nil, body)
  }

  /// Runs a body whose write may be lost if the machine loses power, unless its value says otherwise.
  ///
  /// If `mustSync` returns `true` for the value, the write is on the disk when this returns. The body then runs
  /// again, unless the commit is synced for another reason, because SQLite must know before the transaction begins.
  package func write<T: Sendable>(
    syncedIf mustSync: @escaping @Sendable (T) -> Bool,
    _ body: @escaping @Sendable (SQLiteConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(mustSync: mustSync, body)
  }

  /// Runs a write; `mustSync` is `nil` if the write must be on the disk, whatever its value.
  private func write<T: Sendable>(
    mustSync: (@Sendable (T) -> Bool)?,
    _ body: @escaping @Sendable (SQLiteConnection) throws -> T
  ) async throws(StoreError) -> T {
    let isLow = Task.hasLowPriority
    let result: Result<T, any Error> = await withCheckedContinuation { continuation in
      let write = Write(isAlwaysSynced: mustSync == nil) { connection, isolation in
        let result = Result { try Self.run(body, on: connection, isolation: isolation) }
        let finish: Finish = { failure in
          continuation.resume(returning: failure.map { .failure($0) } ?? result)
        }
        let value = try? result.get()
        return (finish, result.failure, value.flatMap { mustSync?($0) } ?? false)
      }
      let isFirst = waiting.withLock { waiting in
        waiting.append(write, isLow: isLow)
        return waiting.count == 1
      }
      // The first write of a group schedules the group's commit.
      if isFirst { later { self.commitWaiting() } }
    }
    return try Self.value(of: result)
  }

  private func commitWaiting() {
    let (writes, areLow) = waiting.withLock { waiting in
      let next = waiting.next(upTo: Self.groupLimit)
      if !waiting.isEmpty { later { self.commitWaiting() } }
      return next
    }
    let isSynced =
      writes.contains(where: \.isAlwaysSynced)
      || expectsSync.withLock { areLow ? $0.low : $0.usual }
    let commit = connection.withLock { connection in
      Self.commit(writes, on: connection, isolation: .none, isSynced: isSynced)
    }
    if !writes.allSatisfy(\.isAlwaysSynced) {
      expectsSync.withLock { expects in
        if areLow { expects.low = commit.mustSync } else { expects.usual = commit.mustSync }
      }
    }
    if commit.failure == nil { commits.withLock { $0 += 1 } }
    if commit.failure != nil || commit.isRefused {
      recentWrite.failed()
    } else if commit.isSynced {
      recentWrite.succeeded()
    }
    for finish in commit.finishes { finish(commit.failure) }
    connection.withLock { logGrew($0.logPages, $0) }
  }

  private struct Commit {
    var finishes: [Finish] = []
    var failure: (any Error)?
    /// Whether the disk refused all of the writes or one of them.
    var isRefused = false
    let isSynced: Bool
    /// Whether the value of one of the writes requires it to be on the disk.
    var mustSync = false
  }

  /// Commits writes together.
  ///
  /// Writes rarely fail, and a savepoint costs as much as a statement, so the first attempt has no savepoints.
  private static func commit(
    _ writes: [Write], on connection: SQLiteConnection, isolation: Isolation, isSynced: Bool
  ) -> Commit {
    var commit = Commit(isSynced: isSynced)
    do {
      try connection.syncCommits(isSynced)
      try connection.run("BEGIN IMMEDIATE")
      for write in writes {
        let (finish, failure, mustSync) = write.run(connection, isolation)
        commit.finishes.append(finish)
        if mustSync { commit.mustSync = true }
        guard let failure else { continue }
        // If the disk is full, SQLite itself has rolled back the transaction.
        if !connection.isInTransaction { throw failure }
        if let failure = failure as? SQLiteError {
          commit.isRefused = StoreError(failure).isTransient
        }
        if isolation == .none {
          try connection.run("ROLLBACK")
          return writes.count == 1
            ? commit
            : Self.commit(writes, on: connection, isolation: .savepoint, isSynced: isSynced)
        }
      }
      if commit.mustSync, !isSynced {
        try connection.run("ROLLBACK")
        return Self.commit(writes, on: connection, isolation: isolation, isSynced: true)
      }
      try connection.run("COMMIT")
    } catch {
      // Outside a transaction the writes do nothing, but each caller gets the error.
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      for write in writes.dropFirst(commit.finishes.count) {
        commit.finishes.append(write.run(connection, isolation).finish)
      }
      commit.failure = error
      commit.isRefused = true
    }
    return commit
  }

  private static func run<T>(
    _ body: (SQLiteConnection) throws -> T, on connection: SQLiteConnection, isolation: Isolation
  ) throws -> T {
    guard connection.isInTransaction else {
      throw StoreError(.failed, "the transaction was rolled back; try again")
    }
    guard isolation == .savepoint else { return try body(connection) }
    // `run` prepares a statement once, while `execute` prepares it each time.
    try connection.run("SAVEPOINT one")
    do {
      let value = try body(connection)
      try connection.run("RELEASE one")
      return value
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK TO one; RELEASE one") }
      throw error
    }
  }

  private static func value<T>(of result: Result<T, any Error>) throws(StoreError) -> T {
    do {
      return try result.get()
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error)
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { return error }
    return nil
  }
}

extension StoreError {
  /// Translates an error of SQLite for the person who runs the server.
  init(_ error: any Error, path: String? = nil) {
    let place = path.map { " \($0)" } ?? ""
    guard let sqlite = error as? SQLiteError else {
      self.init(.failed, "the store failed: \(error)", cause: error)
      return
    }
    switch sqlite.code {
    case .busy, .locked:
      self.init(
        .locked,
        "the database\(place) is locked by another process; stop that process, or try again",
        cause: error)
    case .constraint: self.init(.conflict, "the id is taken; use another one", cause: error)
    case .cannotOpen, .readOnly:
      self.init(
        .cannotOpen, "cannot open the database\(place): \(sqlite.message); check its permissions",
        cause: error)
    case .notADatabase, .corrupt:
      self.init(
        .cannotOpen, "the database\(place) is damaged or is not a SQLite file; restore a backup",
        cause: error)
    case .full:
      self.init(
        .unwritable, "the disk of the database\(place) is full; make room on it", cause: error)
    case .inputOutput:
      self.init(
        .unwritable,
        "the disk of the database\(place) cannot be read or written; make room on it, or check it",
        cause: error)
    default: self.init(.failed, "the database\(place) failed: \(sqlite.message)", cause: error)
    }
  }
}
