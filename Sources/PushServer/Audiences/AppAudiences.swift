import PushStore
import _Bitmaps

/// The audience index of one app, kept up to date from the store's log of changes.
actor AppAudiences {
  private let app: String
  private let log: any DeviceLog
  private var index = AudienceIndex()
  /// The number of the last change that the index has; `nil` before the first scan.
  private var position: Int64?
  private var running: Task<StoreError?, Never>?
  /// An update that has not begun, and so will see everything that is stored by now.
  private var waiting: Task<StoreError?, Never>?

  /// How many devices or changes are read at once.
  private static let pageSize = 4096

  init(_ app: String, _ log: any DeviceLog) {
    self.app = app
    self.log = log
  }

  /// Reads the index, after bringing it up to everything that was stored before the call.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing AudienceIndex) -> T
  ) async throws(StoreError) -> T {
    repeat {
      if let error = await nextUpdate().value { throw error }
      // Another update may have begun to rebuild the index.
    } while position == nil
    return body(index)
  }

  /// Brings the index up to date; stops between two pages where the task is cancelled.
  func prepare() async throws(StoreError) {
    let update = nextUpdate()
    let error = await withTaskCancellationHandler {
      await update.value
    } onCancel: {
      update.cancel()
    }
    if let error { throw error }
  }

  /// Returns the update that begins next, which concurrent callers share.
  private func nextUpdate() -> Task<StoreError?, Never> {
    if let waiting { return waiting }
    let previous = running
    let task = Task<StoreError?, Never> {
      _ = await previous?.value
      running = waiting
      waiting = nil
      do throws(StoreError) {
        try await update()
        return nil
      } catch {
        return error
      }
    }
    waiting = task
    return task
  }

  private func update() async throws(StoreError) {
    let goal = try await log.lastChange(app: app)
    // A store that was restored to an earlier state has fewer changes than the index.
    guard var seen = position, seen <= goal else { return try await scan(from: goal) }
    while seen < goal {
      try Self.checkCancellation()
      guard let changes = try await log.changes(app: app, after: seen, limit: Self.pageSize) else {
        return try await scan(from: goal)
      }
      guard changes.last > seen else { return }
      let devices = try await log.devices(app: app, numbers: changes.devices)
      if devices.count < changes.devices.count {
        let existing = Bitmap(devices.map(\.number))
        index.remove(changes.devices.bitmap.subtracting(existing))
      }
      index.update(devices)
      seen = changes.last
      position = seen
    }
  }

  /// Rebuilds the index from all devices; what changes meanwhile is after `start` in the log.
  private func scan(from start: Int64) async throws(StoreError) {
    // The old index is freed first, so that memory holds one only; without a position it is not
    // read.
    position = nil
    index = AudienceIndex()
    var last: UInt32?
    repeat {
      try Self.checkCancellation()
      let devices = try await log.devices(app: app, above: last, limit: Self.pageSize)
      index.update(devices)
      last = devices.last?.number
    } while last != nil
    index.optimize()
    position = start
  }

  private static func checkCancellation() throws(StoreError) {
    if Task.isCancelled { throw StoreError(.failed, "the server is stopping") }
  }
}
