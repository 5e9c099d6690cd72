import PushModel

extension SQLPushStore {
  package var keepsUploadBytes: Bool { dialect.holdsUploads }

  package func add(
    _ upload: Upload, bytes: ArraySlice<UInt8>, quota: Int
  ) async throws(StoreError) {
    let size = Int64(bytes.count)
    // Made before the transaction, because other writes wait for it.
    let pieces = keepsUploadBytes ? Self.pieces(of: bytes) : []
    try await write { db in
      guard let app = try Self.number(of: upload.app, db) else {
        throw StoreError(.notFound, "there is no app with the id \(upload.app)")
      }
      // There is no lock, so on PostgreSQL, concurrent uploads may exceed the quota by their own size.
      let used = try db.row(
        "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) AS used FROM uploads WHERE app = \(app)"
      ) { try $0.integer("used") }
      guard (used ?? 0) + size <= Int64(clamping: quota) else {
        throw StoreError(
          .conflict,
          "the app's uploads may take \(quota) bytes together, and \(used ?? 0) are taken; those that"
            + " nothing uses are removed in time, or start the server with a larger --upload-quota")
      }
      try db.queue(
        """
        INSERT INTO uploads (name, app, created_at, size)
        VALUES (\(upload.name), \(app), \(upload.createdAt), \(size))
        """)
      for (number, piece) in pieces.enumerated() {
        try db.queue(
          """
          INSERT INTO upload_pieces (upload, number, bytes)
          VALUES (\(upload.name), \(number), \(piece))
          """)
      }
    }
  }

  package func upload(_ name: String) async throws(StoreError) -> Upload? {
    try await read { db in
      try db.row(
        """
        SELECT uploads.name, apps.id AS app, uploads.created_at
        FROM uploads JOIN apps ON apps.number = uploads.app WHERE uploads.name = \(name)
        """
      ) {
        Upload(
          name: try $0.text("name"), app: try $0.text("app"), createdAt: try $0.time("created_at"))
      }
    }
  }

  package func bytes(ofUpload name: String) async throws(StoreError) -> [UInt8]? {
    guard keepsUploadBytes else { return nil }
    var bytes: [UInt8] = []
    var number: Int64 = 0
    // One piece at a time, because PostgreSQL sends bytes as text of twice the length.
    while let piece = try await piece(number, ofUpload: name) {
      bytes += piece
      number += 1
    }
    return number > 0 ? bytes : nil
  }

  private func piece(
    _ number: Int64, ofUpload name: String
  ) async throws(StoreError) -> [UInt8]? {
    try await read { db in
      try db.row(
        "SELECT bytes FROM upload_pieces WHERE upload = \(name) AND number = \(number)"
      ) { try $0.blob("bytes") }
    }
  }

  private static func pieces(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 1 << 20).map {
      Array(bytes[$0..<min($0 + (1 << 20), bytes.endIndex)])
    }
  }

  private static func hasUpload(
    _ name: String, app: Int64, _ db: any SQLConnection
  ) throws -> Bool {
    try db.row(
      "SELECT name FROM uploads WHERE name = \(name) AND app = \(app)"
    ) { _ in true } ?? false
  }

  /// Keeps the app's uploads with some names as long as the app, because versions of templates stay.
  static func keep(_ names: Set<String>, app: Int64, _ db: any SQLConnection) throws {
    for name in names {
      let isKept = try db.row(
        """
        SELECT 1 FROM upload_uses
        WHERE app = \(app) AND upload = \(name) AND send IS NULL AND message IS NULL LIMIT 1
        """, map: { _ in true })
      guard isKept != true, try hasUpload(name, app: app, db) else { continue }
      try db.queue("INSERT INTO upload_uses (app, upload) VALUES (\(app), \(name))")
    }
  }

  /// Records which of the app's uploads a row of `sends` or `messages` names.
  ///
  /// `column` is `send` or `message`. `number` is the number of the row.
  static func recordUses(
    of names: Set<String>, in column: String, number: Int64, app: Int64, _ db: any SQLConnection
  ) throws {
    for name in names where try hasUpload(name, app: app, db) {
      try db.queue(
        "INSERT INTO upload_uses (app, upload, \(raw: column)) VALUES (\(app), \(name), \(number))")
    }
  }
}
