import PushModel
import _Bitmaps

/// The audience index of one app, kept up to date from the store's log of changes.
actor AppAudiences {
  private let app: String
  private let log: any DeviceLog
  private let folder: SnapshotFolder?
  private let schedule: SnapshotSchedule
  private var index = ShardedIndex()
  /// The number of the last change in the index; `nil` if no index was made yet.
  private var position: Int64?
  private var running: Task<StoreError?, Never>?
  /// An update that has not begun, and therefore will read everything that is already stored.
  private var waiting: Task<StoreError?, Never>?
  private var hasRead = false
  /// The devices that changed since the current snapshot was begun; `nil` if none is being written.
  private var changedSince: Bitmap?
  /// The index of the snapshot just written, which lacks the devices of `changedSince`.
  private var written: ShardedIndex?
  /// The files of the snapshot; empty if there is no snapshot.
  private var savedFiles: Set<String> = []
  private var savedAt: Timestamp?

  /// The most devices or changes that are read at once.
  private static let pageSize = 4096
  /// The number of recent changes in a snapshot that are compared with the log.
  private static let comparedChanges: Int64 = 64

  init(
    _ app: String, _ log: any DeviceLog, folder: SnapshotFolder? = nil,
    schedule: SnapshotSchedule = SnapshotSchedule()
  ) {
    (self.app, self.log, self.folder, self.schedule) = (app, log, folder, schedule)
  }

  /// Reads the index after an update to everything that was stored before the call.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing ShardedIndex) -> T
  ) async throws(StoreError) -> T {
    if let error = await nextUpdate().value { throw error }
    return body(index)
  }

  /// Brings the index up to date; stops between two pages if the task is cancelled.
  func prepare() async throws(StoreError) {
    let update = nextUpdate()
    let error = await withTaskCancellationHandler {
      await update.value
    } onCancel: {
      update.cancel()
    }
    if let error { throw error }
  }

  /// Whether the index has all changes up to this one.
  func has(_ change: Int64) -> Bool { position.map { $0 >= change } ?? false }

  /// Returns the next update that begins, which concurrent callers share.
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
    if !hasRead {
      try await readSnapshot()
      hasRead = true
    }
    try await useWritten()
    let goal = try await log.lastChange(app: app)
    // A store that was restored to an earlier state has fewer changes than the index.
    guard var seen = position, seen <= goal else { return try await scan() }
    while seen < goal {
      try Self.checkCancellation()
      guard let changes = try await log.changes(app: app, after: seen, limit: Self.pageSize) else {
        return try await scan()
      }
      guard changes.last > seen else { return }
      try await apply(changes.devices)
      seen = changes.last
      position = seen
    }
  }

  /// Reads changed devices again.
  private func apply(_ changed: DeviceNumbers) async throws(StoreError) {
    let devices = try await log.devices(app: app, numbers: changed)
    changedSince?.formUnion(changed.bitmap)
    index.update(devices, of: changed.bitmap)
  }

  /// Indexes all devices, and follows the log meanwhile.
  ///
  /// The index is then at least as recent as the scan's beginning, so a caller who waited for it sees
  /// everything that was stored before. The old index stays in use until then. If the log loses changes
  /// before they are read, the next update scans again.
  private func scan() async throws(StoreError) {
    var made = ShardedIndex()
    let seen: Int64
    do throws(StoreError) {
      seen = try await scan(into: &made)
    } catch {
      for shard in made.shards { if let file = shard.file { folder?.remove(file) } }
      throw error
    }
    (index, position) = (made, seen)
    (written, changedSince, savedAt) = (nil, nil, nil)
  }

  /// - Returns: The number of a change; the log is known to have all later ones.
  private func scan(into made: inout ShardedIndex) async throws(StoreError) -> Int64 {
    var seen = try await log.lastChange(app: app)
    var isFollowing = true
    var last: UInt32 = 0
    repeat {
      try Self.checkCancellation()
      let devices = try await log.devices(app: app, above: last, limit: Self.pageSize)
      guard let end = devices.last?.number else { break }
      made.update(devices)
      // A complete shard is written to disk, so that memory holds only one.
      for shard in ShardedIndex.shard(of: last)..<ShardedIndex.shard(of: end) {
        made.optimize(shard)
        guard let written = try? await folder?.write(made.shards[shard].index, shard: shard) else {
          continue
        }
        made.replace(shard, with: written.index, in: written.file)
      }
      last = end
      guard isFollowing,
        let changes = try await log.changes(app: app, after: seen, limit: Self.pageSize)
      else {
        isFollowing = false
        continue
      }
      let read = Bitmap(0...last)
      let changed = DeviceNumbers(changes.devices.bitmap & read)
      made.update(try await log.devices(app: app, numbers: changed), of: changed.bitmap)
      seen = changes.last
    } while true
    if last > 0 { made.optimize(ShardedIndex.shard(of: last)) }
    return seen
  }

  private static func checkCancellation() throws(StoreError) {
    if Task.isCancelled { throw StoreError(.failed, "the server is stopping") }
  }

  // MARK: Snapshots

  /// Uses the snapshot as the index, unless it is damaged or does not match the log.
  private func readSnapshot() async throws(StoreError) {
    let saved = try? await folder?.read()
    folder?.removeAll(but: Set(saved?.manifest.files ?? []))
    guard let saved, saved.manifest.position <= (try await log.lastChange(app: app)),
      try await lastChanged(through: saved.manifest.position) == saved.manifest.lastChanged
    else {
      folder?.removeAll(but: [])
      return
    }
    (index, position) = (saved.index, saved.manifest.position)
    savedFiles = Set(saved.manifest.files)
  }

  /// The devices of the last changes up to one; `nil` if the log no longer has these changes.
  private func lastChanged(through position: Int64) async throws(StoreError) -> DeviceNumbers? {
    let count = min(position, Self.comparedChanges)
    guard count > 0 else { return DeviceNumbers() }
    let changes = try await log.changes(app: app, after: position - count, limit: Int(count))
    return changes?.last == position ? changes?.devices : nil
  }

  /// Writes the changes since the last snapshot if one is due.
  ///
  /// `isLast` says that the server stops: the next start has to read changes that are not in a snapshot from the log.
  ///
  /// - Throws: ``SnapshotError`` if the folder cannot be written, ``StoreError``.
  func saveIfDue(at now: Timestamp, isLast: Bool = false) async throws {
    // The snapshot that was read at the start counts as one written now.
    if savedAt == nil, !savedFiles.isEmpty { savedAt = now }
    guard let folder, let position, changedSince == nil,
      schedule.isDue(
        changes: index.changes, devices: index.count, lastSave: savedAt, now: now, isLast: isLast),
      let lastChanged = try await lastChanged(through: position), changedSince == nil,
      self.position == position
    else { return }
    savedAt = now
    changedSince = Bitmap()
    var saved = index
    var unused: [String] = []
    defer { for file in unused { folder.remove(file) } }
    do {
      for (number, shard) in saved.shards.enumerated()
      where shard.changes > 0 || (shard.file == nil && !shard.index.known.isEmpty) {
        let written = try await folder.write(shard.index, shard: number)
        unused.append(written.file)
        saved.replace(number, with: written.index, in: written.file)
      }
      // If the index was rebuilt meanwhile, it has other shards.
      guard changedSince != nil else { return }
      let files = saved.shards.map { $0.file ?? "" }
      try await folder.write(
        SnapshotFolder.Manifest(
          key: saved.key, position: position, lastChanged: lastChanged, files: files))
      unused = Array(savedFiles.subtracting(files))
      savedFiles = Set(files)
      // Most of the changes are applied here, so that no request waits for them.
      for _ in 0..<8 {
        guard let changed = changedSince, changed.count > Self.pageSize / 8 else { break }
        changedSince = Bitmap()
        for start in stride(from: 0, to: changed.count, by: Self.pageSize) {
          let page = changed.elements(atRanks: start..<start + Self.pageSize)
          let devices = try await log.devices(app: app, numbers: DeviceNumbers(page))
          saved.update(devices, of: Bitmap(page))
        }
      }
    } catch {
      changedSince = nil
      throw error
    }
    guard changedSince != nil else { return }
    written = saved
    _ = await nextUpdate().value
  }

  /// Replaces the index in memory with that of a snapshot, and applies the changes since.
  private func useWritten() async throws(StoreError) {
    guard var saved = written else { return }
    written = nil
    let changed = changedSince ?? Bitmap()
    changedSince = nil
    saved.update(try await log.devices(app: app, numbers: DeviceNumbers(changed)), of: changed)
    index = saved
  }
}

extension ShardedIndex {
  /// Replaces changed devices, and removes those that are no longer in the store.
  fileprivate mutating func update(_ devices: [Device], of changed: Bitmap) {
    if devices.count < changed.count {
      remove(changed.subtracting(Bitmap(devices.map(\.number))))
    }
    update(devices)
  }
}

/// The conditions on which a snapshot is written.
package struct SnapshotSchedule: Sendable {
  /// The fewest devices for a snapshot; indexing fewer is faster than a file is worth.
  package var minimumDevices = 10_000
  /// The shortest time between two snapshots.
  package var pause = Duration.seconds(20)
  /// The longest time that a change waits for a snapshot, which bounds how long an erased device stays in one.
  package var longestWait = Duration.seconds(24 * 3600)
  /// The bounds of the number of changes that are worth a snapshot; between them it is a 32nd of the devices.
  package var changes = 16_384...262_144

  package init() {}

  func isDue(
    changes: Int, devices: Int, lastSave: Timestamp?, now: Timestamp, isLast: Bool = false
  ) -> Bool {
    guard changes > 0, devices >= minimumDevices else { return false }
    guard let lastSave else { return true }
    if isLast { return changes >= self.changes.lowerBound }
    let passed = now.since(lastSave)
    // If the clock was set back, the snapshot is not postponed.
    guard passed >= pause || passed < .zero else { return false }
    let worth = min(max(devices / 32, self.changes.lowerBound), self.changes.upperBound)
    return changes >= worth || passed >= longestWait
  }
}
