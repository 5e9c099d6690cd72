import PushModel

/// The periodic removal of outdated rows from the store and of outdated files from the folder of
/// uploads.
struct Housekeeping: Sendable {
  private static let interval = Duration.seconds(3600)
  /// The most rows of each kind that one transaction removes, so that no writer waits long for a lock.
  private static let limit = 1000

  let store: any PushStore
  let retention: Retention
  let uploads: Uploads?
  let clock: ServerClock
  let log: @Sendable (String) -> Void

  /// Removes outdated rows and files once an hour, until the task is cancelled.
  ///
  /// Every node does this. A row that another node removed first is not an error.
  func run() async {
    while !Task.isCancelled {
      do {
        let now = clock.now()
        while try await store.removeOutdated(retention, at: now, limit: Self.limit) {
          if Task.isCancelled { return }
        }
        try await uploads?.sweep(before: now + (.zero - retention.uploads))
      } catch {
        log("removing outdated rows and files failed, retrying in 1 h: \(error)")
      }
      try? await clock.sleep(Self.interval)
    }
  }
}
