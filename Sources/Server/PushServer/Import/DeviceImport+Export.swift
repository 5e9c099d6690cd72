import PushPayload

extension DeviceImport {
  /// The largest document of a service's export that is not one line; its values take about ten times as much memory.
  static let documentLimit = 8 << 20

  /// Imports an export of another service piece by piece, until `nextPiece` returns `nil`.
  ///
  /// - Throws: ``RequestError`` if the file as a whole is not such an export, ``StoreError``, and the errors of
  ///   `nextPiece`.
  func run(
    from vendor: VendorExport.Vendor, _ nextPiece: () async throws -> [UInt8]?
  ) async throws -> Report {
    var export = VendorExport(of: vendor, documentLimit: Self.documentLimit)
    var report = Report()
    var isOver = false
    func nextLines() async throws -> [UInt8]? {
      while !isOver {
        if let piece = try await nextPiece() {
          try export.read(piece)
        } else {
          try export.finish()
          isOver = true
        }
        let taken = export.take()
        for row in taken.rejected { report.reject(row) }
        for row in taken.losses { report.addLoss(row) }
        if !taken.lines.isEmpty { return taken.lines }
      }
      return nil
    }
    // Without one device there is nothing to import, and an empty file would be refused.
    var first = try await nextLines()
    if first != nil {
      let imported = try await run(as: .lines) {
        if let lines = first.take() { return lines }
        return try await nextLines()
      }
      report.add(imported, listing: export.located(imported.lines))
    }
    report.skipped += export.skipped
    return report
  }
}
