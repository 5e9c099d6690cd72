import PushStore
import _Bitmaps

/// One app's index and where in the log of changes it stands.
actor AppAudiences {
  private let app: String
  private let log: any DeviceLog
  private var index = AudienceIndex()
  /// The last change the index has seen; `nil` before the first scan.
  private var position: Int64?
  private var running: Task<StoreError?, Never>?
  /// One that has not begun, and so sees all that is stored by now.
  private var waiting: Task<StoreError?, Never>?

  /// How many devices are read at once.
  private static let page = 4096

  init(_ app: String, _ log: any DeviceLog) {
    self.app = app
    self.log = log
  }

  /// Reads the index once it has seen everything that was stored before the call.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing AudienceIndex) -> T
  ) async throws(StoreError) -> T {
    repeat {
      if let error = await nextUpdate().value { throw error }
      // Another update may be building the index anew already.
    } while position == nil
    return body(index)
  }

  /// Brings the index up to date; where the task is cancelled, stops between two pages.
  func prepare() async throws(StoreError) {
    let update = nextUpdate()
    let error = await withTaskCancellationHandler {
      await update.value
    } onCancel: {
      update.cancel()
    }
    if let error { throw error }
  }

  /// The update that begins next: whoever comes meanwhile shares it.
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
    // A store that was put back to an earlier state has fewer changes than were seen.
    guard var seen = position, seen <= goal else { return try await scan(from: goal) }
    while seen < goal {
      try Self.checkCancellation()
      guard let changes = try await log.changes(app: app, after: seen, limit: Self.page) else {
        return try await scan(from: goal)
      }
      guard changes.last > seen else { return }
      let devices = try await log.devices(app: app, numbers: changes.devices)
      if devices.count < changes.devices.count {
        let there = Bitmap(devices.map(\.number))
        index.remove(changes.devices.bitmap.subtracting(there))
      }
      index.update(devices)
      seen = changes.last
      position = seen
    }
  }

  /// Builds the index anew; what changes meanwhile comes after `start` in the log.
  private func scan(from start: Int64) async throws(StoreError) {
    // The old one goes first, so that there are never two in memory; nobody reads without a position.
    position = nil
    index = AudienceIndex()
    var last: UInt32?
    repeat {
      try Self.checkCancellation()
      let devices = try await log.devices(app: app, above: last, limit: Self.page)
      index.update(devices)
      last = devices.last?.number
    } while last != nil
    index.optimize()
    position = start
  }

  private static func checkCancellation() throws(StoreError) {
    if Task.isCancelled { throw StoreError(.failed, "the server ends") }
  }
}
