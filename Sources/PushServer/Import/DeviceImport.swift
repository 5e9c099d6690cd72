import Foundation
import PushPayload
package import PushStore

/// An import of devices from a file, which is read while it arrives.
package struct DeviceImport: Sendable {
  package enum Format: Sendable {
    /// CSV whose first line names the columns, which ``CSVImportReader`` lists.
    case csv
    /// Newline-delimited JSON: one device in each line, as in an update, with a `push_token`.
    case lines
  }

  package static let linesType = "application/x-ndjson"

  /// How many rows one transaction stores: enough to share pages of the indexes, and few enough
  /// that other writers wait only some tenths of a second.
  private static let chunkSize = 5000

  let store: any PushStore
  let app: String
  let now: Timestamp

  package init(store: any PushStore, app: String, now: Timestamp) {
    self.store = store
    self.app = app
    self.now = now
  }

  /// Imports a file that is in memory.
  ///
  /// `progress` is called with the number of bytes that were read so far.
  package func run(
    _ bytes: [UInt8], as format: Format, progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> Report {
    var position = 0
    return try await run(as: format) {
      progress(position)
      guard position < bytes.count else { return nil }
      let start = position
      position = min(bytes.count, start + 1 << 18)
      return Array(bytes[start..<position])
    }
  }

  /// Imports a file piece by piece, until `nextPiece` returns `nil`.
  ///
  /// Valid rows are imported, and the others reported. Rows before an error are imported; importing
  /// the same file again changes nothing about them.
  ///
  /// - Throws: ``APIError`` where the file as a whole is not valid, ``StoreError``, and what
  ///   `nextPiece` throws.
  package func run(
    as format: Format, _ nextPiece: () async throws -> [UInt8]?
  ) async throws -> Report {
    var reader: any ImportReader = format == .csv ? CSVImportReader() : LineImportReader()
    var report = Report()
    // By 64-bit hashes: among a million lines two tokens collide with a probability of one in 30
    // million.
    var seen: [TextHash: UInt32] = [:]
    var waiting: [ImportedDevice] = []
    // The lines of the waiting devices that have an id of the caller's.
    var lines: [String: Int] = [:]
    func add(_ row: ImportRow) {
      switch row.device {
      case .failure(let problem): report.rejected.append((row.line, problem.message))
      case .success(let device):
        let line = UInt32(clamping: row.line)
        if let first = seen.updateValue(line, forKey: TextHash(device.token)) {
          seen[TextHash(device.token)] = first
          report.rejected.append((row.line, "the token is on line \(first) already"))
        } else {
          waiting.append(device)
          if !row.losses.isEmpty { report.addLosses(row.losses, line: row.line) }
          if device.isNamed { lines[device.id] = row.line }
        }
      }
    }
    try await withThrowingTaskGroup(of: (erased: [Int], stored: StoredImport).self) { group in
      var place: ImportPlace?
      // One chunk is stored while the next is read.
      func finish(_ stored: StoredImport, erased lines: [Int]) {
        report.accepted -= lines.count
        if !lines.isEmpty { report.losses.removeAll { lines.contains($0.line) } }
        report.rejected += lines.map { ($0, "the device was erased and cannot be updated") }
        report.leftWithoutToken += stored.leftWithoutToken
      }
      func store() async throws {
        if let (erased, stored) = try await group.next() {
          finish(stored, erased: erased)
          place = stored.place
        }
        let (devices, named, place) = (Self.ordered(waiting), lines, place)
        report.accepted += devices.count
        waiting = []
        lines = [:]
        group.addTask {
          let stored = try await self.store.importDevices(
            devices, app: app, at: now, after: place)
          return (stored.erased.compactMap { named[$0] }, stored)
        }
      }
      var start: [UInt8] = []
      while let piece = try await nextPiece() {
        if start.count < ImportFile.startLength {
          start += piece.prefix(ImportFile.startLength - start.count)
          try ImportFile.check(start: start)
        }
        reader.feed(piece)
        while let row = try reader.next() {
          add(row)
          if waiting.count == Self.chunkSize { try await store() }
        }
      }
      if let row = try reader.last() { add(row) }
      try await store()
      for try await (erased, stored) in group { finish(stored, erased: erased) }
    }
    report.rejected.sort { $0.line < $1.line }
    report.losses.sort { $0.line < $1.line }
    report.skipped = reader.skippedCount
    return report
  }

  /// The devices of a chunk, those without a name in the order of their tokens and with ids that ascend.
  ///
  /// The unique indexes of tokens and ids then get a chunk's entries one beside the other. In random order each entry is
  /// on another page, which docs/server/performance.md measures.
  private static func ordered(_ devices: [ImportedDevice]) -> [ImportedDevice] {
    let unnamed = devices.filter { !$0.isNamed }.sorted { $0.token < $1.token }
    let ids = unnamed.map(\.id).sorted()
    return devices.filter(\.isNamed)
      + zip(unnamed, ids).map { device, id in
        var device = device
        device.id = id
        return device
      }
  }
}
