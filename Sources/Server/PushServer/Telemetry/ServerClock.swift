import Foundation
package import PushModel

/// The time of day and a way to wait, which tests replace.
package struct ServerClock: Sendable {
  package var now: @Sendable () -> Timestamp
  /// Waits; throws an error when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  package static let system = ServerClock(
    now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
    sleep: { try await Task.sleep(for: $0) })
}
