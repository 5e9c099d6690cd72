import Foundation
package import PushStore

/// The time of day and how to wait, injected so that tests own both.
package struct ServerClock: Sendable {
  package var now: @Sendable () -> Timestamp
  /// Returns early, by throwing, when its task is cancelled.
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
