/// The time by which the calls of a store that a task makes have to be answered.
///
/// A task without one, such as a worker, waits for a database that is out of reach for as long as its store
/// was told, and then for its answer.
package enum StoreDeadline: Sendable {
  /// One deadline for all calls, with their repeats: one that begins later has less time.
  case at(ContinuousClock.Instant)
  /// The whole time for each call, for work that also waits for others or goes on for long.
  case perCall

  /// The time that a request gives the store.
  package static let limit = Duration.seconds(10)

  @TaskLocal package static var current: StoreDeadline?

  /// When a call of this task that begins now has to have ended; `nil` for a task without a deadline.
  static var end: ContinuousClock.Instant? {
    switch current {
    case nil: nil
    case .at(let time): time
    case .perCall: ContinuousClock.now + limit
    }
  }

  /// Runs a body of which each call has the whole time, whatever the deadline of its caller is.
  package static func perCall<T>(_ body: () async throws -> T) async rethrows -> T {
    try await $current.withValue(.perCall) { try await body() }
  }
}
