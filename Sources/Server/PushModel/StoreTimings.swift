import Synchronization

/// The durations and failures of a store's reads and writes, for a metrics endpoint.
///
/// A read or write is measured from the call to its result, including the wait for a connection.
package final class StoreTimings: Sendable {
  package enum Operation: String, CaseIterable, Sendable { case read, write }

  /// The upper bounds of the buckets in milliseconds; the last bucket has no upper bound.
  package static let bounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 10_000]

  package struct Counts: Hashable, Sendable {
    /// The number of calls in each bucket: one for each of ``StoreTimings/bounds``, and one above.
    package var buckets = [Int](repeating: 0, count: StoreTimings.bounds.count + 1)
    package var total = Duration.zero
    /// The number of calls that failed because the database could not be reached, was locked or was full.
    package var failures = 0
  }

  private let counts = Mutex<[Operation: Counts]>([:])

  package init() {}

  /// The current counts of both operations.
  package var snapshot: [Operation: Counts] { counts.withLock(\.self) }

  package func measure<T>(
    _ operation: Operation, _ body: () async throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let start = ContinuousClock.now
    do throws(StoreError) {
      let value = try await body()
      add(.now - start, to: operation, hasFailed: false)
      return value
    } catch {
      add(.now - start, to: operation, hasFailed: error.isTransient)
      throw error
    }
  }

  /// Counts a call.
  package func add(_ duration: Duration, to operation: Operation, hasFailed: Bool = false) {
    let bucket = Self.bounds.firstIndex { duration <= .milliseconds($0) } ?? Self.bounds.count
    counts.withLock { counts in
      counts[operation, default: Counts()].buckets[bucket] += 1
      counts[operation, default: Counts()].total += duration
      if hasFailed { counts[operation, default: Counts()].failures += 1 }
    }
  }
}
