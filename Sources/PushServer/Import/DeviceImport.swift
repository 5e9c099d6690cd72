import Foundation
package import PushPayload
package import PushStore

/// Brings devices in from a file that is read as it comes.
package struct DeviceImport: Sendable {
  package struct Report: Sendable {
    package var accepted = 0
    package var rejected: [(line: Int, error: String)] = []

    package init() {}

    package var json: JSONValue {
      [
        "accepted": .integer(Int64(accepted)),
        "rejected": .array(
          rejected.map { ["line": .integer(Int64($0.line)), "error": .string($0.error)] }),
      ]
    }
  }

  package enum Format: Sendable {
    /// `token`, `os_name`, `user_id`, `custom.<type>.<name>`.
    case csv
    /// Newline-delimited JSON: one device a line, each as an update has it, with `push_token`.
    case lines
  }

  package static let linesType = "application/x-ndjson"

  /// How many rows one transaction takes: enough to share pages of the indices, few enough that other
  /// writers wait no longer than some tenths of a second.
  private static let chunk = 10_000

  let store: any PushStore
  let app: String
  let now: Timestamp

  package init(store: any PushStore, app: String, now: Timestamp) {
    self.store = store
    self.app = app
    self.now = now
  }

  /// Imports a whole file that is in memory.
  ///
  /// `progress` is called with the bytes read so far.
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

  /// Imports a file piece by piece, until there is none; rows that are wrong are reported and the
  /// others taken.
  ///
  /// What came before an error is imported; the same file again changes nothing of that.
  package func run(
    as format: Format, _ nextPiece: () async throws -> [UInt8]?
  ) async throws -> Report {
    var reader: any ImportReader = format == .csv ? CSVImportReader() : LineImportReader()
    var report = Report()
    // By 64 bits of a token: of a million lines one is mistaken for another once in 30 million times.
    var seen: [Fingerprint: UInt32] = [:]
    var waiting: [ImportedDevice] = []
    /// The lines of those that wait and have a name.
    var lines: [String: Int] = [:]
    func take(_ row: ImportRow) {
      switch row.device {
      case .failure(let problem): report.rejected.append((row.line, problem.message))
      case .success(let device):
        let line = UInt32(clamping: row.line)
        if let first = seen.updateValue(line, forKey: Fingerprint(device.token)) {
          seen[Fingerprint(device.token)] = first
          report.rejected.append((row.line, "the token stands on line \(first), which counts"))
        } else {
          waiting.append(device)
          if device.isNamed { lines[device.id] = row.line }
        }
      }
    }
    try await withThrowingTaskGroup(of: [Int].self) { group in
      // One chunk is stored while the next is read.
      func refuse(_ erased: [Int]) {
        report.accepted -= erased.count
        report.rejected += erased.map { ($0, "the device was erased; it takes no updates") }
      }
      func store() async throws {
        if let erased = try await group.next() { refuse(erased) }
        let (devices, named) = (waiting, lines)
        report.accepted += devices.count
        waiting = []
        lines = [:]
        group.addTask {
          try await self.store.importDevices(devices, app: app, at: now).compactMap { named[$0] }
        }
      }
      while let piece = try await nextPiece() {
        reader.feed(piece)
        while let row = try reader.next() {
          take(row)
          if waiting.count == Self.chunk { try await store() }
        }
      }
      if let row = try reader.last() { take(row) }
      try await store()
      for try await erased in group { refuse(erased) }
    }
    report.rejected.sort { $0.line < $1.line }
    return report
  }
}

/// Reads devices out of pieces of a file.
protocol ImportReader {
  /// Takes the next piece; to be called once ``next()`` has found no further row.
  mutating func feed(_ piece: [UInt8])
  /// - Throws: ``APIError`` where the file as a whole is no import.
  mutating func next() throws(APIError) -> ImportRow?
  /// What the file ends with once every piece was fed.
  mutating func last() throws(APIError) -> ImportRow?
}

/// A device, or what is wrong with it, and where.
struct ImportRow {
  var line: Int
  var device: Result<ImportedDevice, APIError>
}
