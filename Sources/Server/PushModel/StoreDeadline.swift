/// The time by which a task's calls of a store must be answered.
///
/// A task without a deadline, such as a worker, waits for an unreachable database as long as its store is configured
/// to, and for the answer without a limit.
package enum StoreDeadline: Sendable {
  /// One deadline for all calls and their repeats; a later call has less time.
  case at(ContinuousClock.Instant)
  /// The whole time for each call, for long work and work that also waits for others.
  case perCall

  /// The time that a request allows the store.
  package static let limit = Duration.seconds(10)

  @TaskLocal package static var current: StoreDeadline?

  /// The time by which a call of this task that begins now must end; `nil` if the task has no deadline.
  package static var end: ContinuousClock.Instant? {
    switch current {
    case nil: nil
    case .at(let time): time
    case .perCall: ContinuousClock.now + limit
    }
  }

  /// Runs a body in which each call has the whole time, whatever the caller's deadline is.
  package static func perCall<T>(_ body: () async throws -> T) async rethrows -> T {
    try await $current.withValue(.perCall) { try await body() }
  }
}
