import CRecordedDisk
import Foundation

/// A file system for SQLite that keeps every change of its files, and can let changes fail.
///
/// It passes all calls on to the system's, so the files exist.
@safe package final class RecordedDisk: @unchecked Sendable {
  // The C object locks its own mutex in every function that is called here, and it is freed when nobody has `self`.
  private let disk: OpaquePointer
  /// The name by which SQLite opens files on the disk.
  package let name: String

  /// Registers a disk with SQLite under a name of its own.
  ///
  /// It must outlive the connections that use it.
  ///
  /// - Parameter waitsForSyncs: Whether a sync waits for the system's disk, or is only kept.
  package init(waitsForSyncs: Bool = true) {
    name = "recorded-\(UUID().uuidString)"
    guard let disk = unsafe martlet_disk_make(name) else { preconditionFailure("no memory") }
    unsafe self.disk = disk
    if !waitsForSyncs { unsafe martlet_disk_skip_syncs(disk) }
  }

  deinit { unsafe martlet_disk_free(disk) }

  /// The number of events so far.
  package var position: Int { unsafe martlet_disk_count(disk) }

  /// The number of changes that were asked for, including those that failed.
  package var changes: Int { unsafe martlet_disk_changes(disk) }

  /// Every event so far.
  package var events: [DiskEvent] { (0..<position).map(event) }

  /// Lets changes fail: `count` of them, after the next `skipped`.
  ///
  /// - Parameters:
  ///   - count: How many fail.
  ///   - skipped: How many succeed before.
  ///   - isFull: Whether writes fail because the disk is full, or because it cannot be written.
  package func fail(_ count: Int, after skipped: Int, isFull: Bool) {
    unsafe martlet_disk_fail(disk, skipped, count, isFull ? 1 : 0)
  }

  private func event(at index: Int) -> DiskEvent {
    let event = unsafe martlet_disk_event_at(disk, index)
    let path = unsafe String(cString: event.path)
    let file = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    return DiskEvent(file: file, kind: unsafe Self.kind(of: event))
  }

  private static func kind(of event: martlet_disk_event) -> DiskEvent.Kind {
    switch unsafe event.kind {
    case MARTLET_DISK_CREATE: return .create
    case MARTLET_DISK_WRITE:
      let bytes = unsafe UnsafeBufferPointer(start: event.bytes, count: event.count)
      return unsafe .write(Array(bytes), at: Int(event.offset))
    case MARTLET_DISK_TRUNCATE: return unsafe .truncate(to: Int(event.offset))
    case MARTLET_DISK_SYNC: return unsafe .sync(isJournal: event.syncs_folder != 0)
    default: return unsafe .delete(isSynced: event.syncs_folder != 0)
    }
  }
}
