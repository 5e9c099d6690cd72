import Foundation
package import PushModel
import PushPayload

/// An import of devices from a file that is read while it arrives.
package struct DeviceImport: Sendable {
  package enum Format: Sendable {
    /// CSV whose first line names the columns; ``CSVImportReader`` lists them.
    case csv
    /// Newline-delimited JSON: each line has a device as in an update, with a `push_token`.
    case lines
  }

  package static let linesType = "application/x-ndjson"

  /// The number of rows in one transaction, which is large enough to share pages of the indexes, but delays other
  /// writers by only some tenths of a second.
  static let chunkSize = 5000

  /// The number of rows after which other requests get a turn, because a file of invalid rows never waits for the
  /// store.
  static let turn = 500

  /// The number of bytes of a file in memory that are read at once.
  static let pieceSize = 1 << 18

  let store: any PushStore
  let app: String
  let now: Timestamp
  /// What the columns of a CSV file are; `nil` takes its first line.
  var columns: ColumnMapping?
  /// Whether the file is only read and compared with the store, and nothing is stored.
  var isTrial = false
  /// The import of an uploaded file, whose stored lines are not stored again; `nil` for a file that is read once.
  var file: FileImport?

  package init(store: any PushStore, app: String, now: Timestamp) {
    self.store = store
    self.app = app
    self.now = now
  }

  /// Imports a file in memory.
  ///
  /// `progress` is called with the number of bytes read so far.
  package func run(
    _ bytes: [UInt8], as format: Format, progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> Report {
    var position = 0
    return try await run(as: format) {
      progress(position)
      guard position < bytes.count else { return nil }
      let start = position
      position = min(bytes.count, start + Self.pieceSize)
      return Array(bytes[start..<position])
    }
  }

  /// Imports a file piece by piece, until `nextPiece` returns `nil`.
  ///
  /// Valid rows are imported, and the others are reported. Rows before an error are imported, and importing the same
  /// file again does not change them, unless their devices have changed meanwhile.
  ///
  /// Of an uploaded file, only the rows behind its last stored line are imported, and the report is that of all rows.
  /// `left_without_token` then also counts a device that lost its token before that line and gets one after it.
  ///
  /// - Throws: ``RequestError`` if the file as a whole is not valid, ``StoreError``, and the errors of `nextPiece`.
  package func run(
    as format: Format, _ nextPiece: () async throws -> [UInt8]?
  ) async throws -> Report {
    var rows = ImportRows(of: format, columns: columns)
    var report = Report()
    var waiting: [ImportedDevice] = []
    // The line of the last device that waits or has waited.
    var lastLine = 0
    // The waiting devices whose id the caller chose, which may be that of an erased device.
    var named: [String: (line: Int, hasLosses: Bool)] = [:]
    func add(_ row: ImportRow) {
      switch row.device {
      case .failure(let problem): report.reject((row.line, problem.message))
      case .success(let device):
        waiting.append(device)
        lastLine = row.line
        if !row.losses.isEmpty { report.addLoss((row.line, Report.text(ofLosses: row.losses))) }
        if device.isNamed { named[device.id] = (row.line, !row.losses.isEmpty) }
      }
    }
    typealias Named = [String: (line: Int, hasLosses: Bool)]
    try await withThrowingTaskGroup(of: (stored: StoredImport, named: Named).self) { group in
      var place: ImportPlace?
      // The last line that an earlier run has stored, and the last one that is stored now.
      let firstStored = file?.storedLine ?? 0
      var storedLine = firstStored
      // A later line may name a device that lost its token to an earlier one.
      var leftWithoutToken: Set<TextHash> = []
      // One chunk is stored while the next one is read.
      func finish(_ stored: StoredImport, of lines: Named) {
        report.known += stored.known
        for (line, hasLosses) in stored.erased.compactMap({ lines[$0] }) {
          report.rejectErased(line: line, hasLosses: hasLosses)
        }
        leftWithoutToken.subtract(lines.keys.map { TextHash($0) })
        leftWithoutToken.formUnion(stored.leftWithoutToken.map { TextHash($0) })
      }
      func nextStep(naming lines: Named) -> ImportStep? {
        guard let file else { return nil }
        defer { storedLine = lastLine }
        let left = leftWithoutToken.subtracting(lines.keys.map { TextHash($0) })
        return ImportStep(
          file: file.id, previousLine: storedLine, lastLine: lastLine,
          leftWithoutToken: file.leftWithoutToken + left.count)
      }
      func store() async throws {
        if let (stored, lines) = try await group.next() {
          finish(stored, of: lines)
          place = stored.place
        }
        let (devices, lines, place) = (Self.ordered(waiting), named, place)
        let isStored = lastLine <= firstStored
        let step = isStored ? nil : nextStep(naming: lines)
        report.accepted += devices.count
        waiting = []
        named = [:]
        group.addTask {
          let stored =
            isTrial || isStored
            ? try await self.compare(devices)
            : try await self.store.importDevices(
              devices, app: app, at: now, after: place, step: step)
          return (stored, lines)
        }
      }
      // Lines that are stored are in chunks of their own, which are not stored again.
      func beginsChunk(_ row: ImportRow) -> Bool {
        !waiting.isEmpty && lastLine <= firstStored && row.line > firstStored
      }
      var rowsOfTurn = 0
      while let piece = try await nextPiece() {
        // The loop below does not count skipped rows.
        await Task.yield()
        try rows.feed(piece)
        while let row = try rows.next() {
          if beginsChunk(row) { try await store() }
          add(row)
          rowsOfTurn += 1
          if rowsOfTurn == Self.turn {
            rowsOfTurn = 0
            await Task.yield()
          }
          if waiting.count == Self.chunkSize { try await store() }
        }
      }
      if let row = try rows.last() {
        if beginsChunk(row) { try await store() }
        add(row)
      }
      try await store()
      for try await (stored, lines) in group { finish(stored, of: lines) }
      report.leftWithoutToken = leftWithoutToken.count + (file?.leftWithoutToken ?? 0)
    }
    report.skipped = rows.skippedCount
    return report
  }

  /// Compares the devices of a chunk with those of the store; only a trial counts the known ones.
  private func compare(_ devices: [ImportedDevice]) async throws -> StoredImport {
    let owners = try await store.owners(of: devices.filter(\.isNamed).map(\.id), app: app)
    var found = StoredImport()
    found.erased = owners.filter(\.value.isErased).map(\.key)
    guard isTrial else { return found }
    let tokens = devices.filter { !$0.isNamed }.map(\.token)
    found.known =
      try await store.registeredTokens(among: tokens, app: app) + owners.count - found.erased.count
    return found
  }

  /// The devices of a chunk: first those with a caller's id, then the others, sorted by token and with ascending ids.
  ///
  /// The unique indexes of tokens and ids then get the entries of a chunk next to each other. In random order each
  /// entry is on another page; docs/contributing/decisions/0056 has the measurement.
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
