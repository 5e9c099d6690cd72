import Foundation
import PushPayload

/// The record, the facts and the taps of one device, as files.
struct DeviceFiles: Sendable {
  private static let recordFolder = "Device"
  private static let recordPath = "\(recordFolder)/record.json"
  private static let sparePath = "\(recordFolder)/spare.json"
  private static let inboxFolder = "Inbox"
  private static let inboxPath = "\(inboxFolder)/messages.json"

  let storage: any DeviceStorage
  let events: FactFiles
  /// The receipts of the service extension and of the app, in the files of the extension's queue.
  let receipts: FactFiles
  /// The marks that the person set on messages of the inbox.
  let marks: FactFiles
  /// The taps that the app has not taken yet.
  let openings: FactFiles

  init(_ storage: any DeviceStorage) {
    self.storage = storage
    func files(_ folder: String, limit: Int, time: String) -> FactFiles {
      FactFiles(storage: storage, folder: folder, limit: limit, time: time)
    }
    events = files("Events", limit: 1000, time: "date")
    receipts = files("Receipts", limit: 500, time: "at")
    marks = files("Marks", limit: 1000, time: "at")
    openings = files("Openings", limit: 100, time: "at")
  }

  /// The record; `nil` if neither it nor its spare copy exists.
  ///
  /// If its file is damaged or lost, the spare copy is read.
  ///
  /// - Throws: ``PushError`` with the code ``PushError/Code/damaged`` if no intact copy is left, and any error if a record may
  ///   exist but cannot be read now.
  func record() throws -> DeviceRecord? {
    let bytes = try storage.read(Self.recordPath)
    if let record = bytes.flatMap(DeviceRecord.init) { return record }
    let spare = try storage.read(Self.sparePath)
    if let record = spare.flatMap(DeviceRecord.init) { return record }
    guard bytes == nil, spare == nil else {
      throw PushError(
        .damaged,
        "the device's record is damaged, or a newer version wrote it; startOver() begins as a new device"
      )
    }
    return nil
  }

  /// Removes a record that cannot be understood, with the facts of its device.
  func removeDamaged() throws {
    try storage.exclusively {
      do { _ = try record() } catch let error as PushError where error.code == .damaged {
        try removeAll()
        try remove()
      }
    }
  }

  /// Changes the record while no other process can change it.
  func change<Result>(_ body: (inout DeviceRecord?) throws -> Result) throws -> Result {
    try storage.exclusively {
      var record = try record()
      let old = record
      let result = try body(&record)
      if let record {
        // The spare copy is written before the record, so that it is never older.
        let spare = record.spare.bytes
        if try storage.read(Self.sparePath) != spare {
          try storage.write(spare, to: Self.sparePath)
        }
        if record != old { try storage.write(record.bytes, to: Self.recordPath) }
      } else if old != nil {
        try remove()
      }
      return result
    }
  }

  /// Removes the record; the spare copy first, because it alone would bring the device back.
  private func remove() throws {
    try storage.removeParts(in: Self.recordFolder, olderThan: nil)
    try storage.remove(Self.sparePath)
    try storage.remove(Self.recordPath)
  }

  /// The inbox as it was read last; `nil` if it was never read, or its file cannot be read.
  func inbox() -> InboxRecord? {
    ((try? storage.read(Self.inboxPath)) ?? nil).flatMap(InboxRecord.init)
  }

  func write(_ inbox: InboxRecord) throws { try storage.write(inbox.bytes, to: Self.inboxPath) }

  func removeInbox() throws { try storage.remove(Self.inboxPath) }

  /// Removes all facts, the taps and the inbox.
  func removeFacts() throws {
    for files in [events, receipts, marks, openings] { try files.removeAll() }
    try removeInbox()
    for folder in factFolders { try storage.removeParts(in: folder, olderThan: nil) }
  }

  /// Removes everything but the record.
  func removeAll() throws {
    try removeFacts()
    try storage.remove(BadgeFile.path)
  }

  /// Removes what processes left that were killed while they wrote.
  func removeParts() {
    // A write takes milliseconds. The service extension's queue removes its own parts among the receipts.
    for folder in [Self.recordFolder] + factFolders where folder != receipts.folder {
      try? storage.removeParts(in: folder, olderThan: 60)
    }
  }

  private var factFolders: [String] {
    [events, receipts, marks, openings].map(\.folder) + [Self.inboxFolder]
  }
}
