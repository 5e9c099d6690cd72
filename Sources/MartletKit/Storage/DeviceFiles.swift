import Foundation
import PushPayload

/// The record, the facts and the taps of one device, as files.
struct DeviceFiles: Sendable {
  private static let recordPath = "Device/record.json"
  private static let inboxPath = "Inbox/messages.json"

  let storage: any DeviceStorage
  let events: FactFiles
  /// The receipts of the service extension and of the app, in the files of the extension's queue.
  let receipts: FactFiles
  /// What the person did with messages of the inbox.
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

  /// The record; `nil` if there is none, or none that can be understood.
  ///
  /// - Throws: Any error where there may be a record that cannot be read now.
  func record() throws -> DeviceRecord? {
    try storage.read(Self.recordPath).flatMap(DeviceRecord.init)
  }

  /// Changes the record while no other process does.
  func change<Result>(_ body: (inout DeviceRecord?) throws -> Result) throws -> Result {
    try storage.exclusively {
      var record = try record()
      let old = record
      let result = try body(&record)
      if record != old {
        if let record {
          try storage.write(record.bytes, to: Self.recordPath)
        } else {
          try storage.remove(Self.recordPath)
        }
      }
      return result
    }
  }

  /// The inbox as it was read last; `nil` if there is none, or none that can be read.
  func inbox() -> InboxRecord? {
    ((try? storage.read(Self.inboxPath)) ?? nil).flatMap(InboxRecord.init)
  }

  func write(_ inbox: InboxRecord) throws { try storage.write(inbox.bytes, to: Self.inboxPath) }

  func removeInbox() throws { try storage.remove(Self.inboxPath) }

  /// Removes all facts, the taps and the inbox.
  func removeFacts() throws {
    for files in [events, receipts, marks, openings] { try files.removeAll() }
    try removeInbox()
  }
}
