import PushStore

/// Removes from the store, and from the folder of uploads, what has been kept for long enough, in small transactions.
struct Housekeeping: Sendable {
  private static let interval = Duration.seconds(3600)
  /// How many rows of each kind go at once, so that nobody waits long for a lock.
  private static let limit = 1000

  let store: any PushStore
  let retention: Retention
  let uploads: Uploads?
  let clock: ServerClock
  let log: @Sendable (String) -> Void

  /// Returns when its task is cancelled.
  ///
  /// Every node does this; what another one has removed is gone.
  func run() async {
    while !Task.isCancelled {
      do {
        let now = clock.now()
        while try await store.removeOutdated(retention, at: now, limit: Self.limit) {
          if Task.isCancelled { return }
        }
        try await uploads?.sweep(before: now + (.zero - retention.uploads))
      } catch {
        log("removing what is outdated: \(error)")
      }
      try? await clock.sleep(Self.interval)
    }
  }
}
