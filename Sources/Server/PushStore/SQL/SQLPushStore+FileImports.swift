import PushModel
import PushPayload

extension SQLPushStore {
  package func add(_ new: FileImport) async throws(StoreError) {
    try await write { db in
      let app = try Self.requiredNumber(of: new.app, db)
      let count = try db.row(
        "SELECT count(*) AS count FROM imports WHERE app = \(app) AND removed = FALSE"
      ) { try $0.int("count") }
      guard (count ?? 0) < FileImport.fileLimit else {
        throw StoreError(
          .conflict,
          "the app has the files of \(FileImport.fileLimit) imports; remove one of them first")
      }
      try db.queue(
        "INSERT INTO imports (app, \(FileImport.columns)) VALUES (\(app), \(new.values))")
    }
  }

  package func append(
    _ bytes: [UInt8], as part: Int, toImport id: String, app: String
  ) async throws(StoreError) {
    try await write { db in
      let app = try Self.number(of: app, db) ?? 0
      let state = FileImport.State.uploading.rawValue
      // The row is changed, so that a part is not added to an import that is being removed.
      let isArriving =
        try db.run(
          """
          UPDATE imports SET parts = \(part + 1), size = size + \(bytes.count)
          WHERE app = \(app) AND id = \(id) AND state = \(state) AND removed = FALSE
          AND parts = \(part)
          """) > 0
      guard isArriving else {
        throw StoreError(
          .notFound, "the import was removed while its file arrived; upload it again")
      }
      try db.queue(
        """
        INSERT INTO import_parts (app, import, part, bytes)
        VALUES (\(app), \(id), \(part), \(bytes))
        """)
    }
  }

  package func part(
    _ part: Int, ofImport id: String, app: String
  ) async throws(StoreError) -> [UInt8]? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      return try db.row(
        """
        SELECT bytes FROM import_parts WHERE app = \(app) AND import = \(id) AND part = \(part)
        """
      ) { try $0.blob("bytes") }
    }
  }

  package func fileImport(_ id: String, app: String) async throws(StoreError) -> FileImport? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try Self.fileImport(id, app: app, number: number, db)
    }
  }

  package func fileImports(app: String, limit: Int) async throws(StoreError) -> [FileImport] {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(FileImport.columns) FROM imports WHERE app = \(number)
        ORDER BY created_at DESC, id LIMIT \(limit)
        """
      ) { try FileImport(row: &$0, app: app) }
    }
  }

  package func update(
    _ changed: FileImport, holdingFor time: Duration?, at now: Timestamp
  ) async throws(StoreError) -> FileImport? {
    try await write { db in
      guard let app = try Self.number(of: changed.app, db) else { return nil }
      var stored = changed
      stored.revision += 1
      var held: Timestamp?
      if changed.isRunning {
        held = Timestamp(milliseconds: 0)
        if let time { held = try now + time + self.clockOffset(from: now, db) }
      }
      let isStored =
        try db.run(
          """
          UPDATE imports SET state = \(stored.state.rawValue), settings = \(stored.settings),
            report = \(stored.report), progress = \(stored.progress), attempts = \(stored.attempts),
            problem = \(stored.problem), changed_at = \(stored.changedAt),
            revision = \(stored.revision), held_until = \(held),
            stored_line = CASE WHEN held_until IS NULL THEN \(stored.storedLine)
              ELSE stored_line END,
            left_without_token = CASE WHEN held_until IS NULL THEN \(stored.leftWithoutToken)
              ELSE left_without_token END
          WHERE app = \(app) AND id = \(changed.id) AND revision = \(changed.revision)
          """) > 0
      return isStored ? stored : nil
    }
  }

  package func takeImport(
    _ id: String?, at now: Timestamp, for time: Duration
  ) async throws(StoreError) -> FileImport? {
    // Usually no import waits. Finding that costs a read, but no sync of the disk.
    let due = try await readFewRows { db -> (app: Int64, id: String)? in
      let time = try now + self.clockOffset(from: now, db)
      let ofID: SQL = id.map { "AND id = \($0)" as SQL } ?? ""
      return try db.row(
        """
        SELECT app, id FROM imports WHERE held_until <= \(time) \(ofID)
        ORDER BY held_until, id LIMIT 1
        """
      ) { (try $0.integer("app"), try $0.text("id")) }
    }
    guard let due else { return nil }
    let app = try await write { db -> String? in
      let offset = try self.clockOffset(from: now, db)
      let isTaken =
        try db.run(
          """
          UPDATE imports SET held_until = \(now + time + offset), attempts = attempts + 1,
            revision = revision + 1, progress = 0
          WHERE app = \(due.app) AND id = \(due.id) AND held_until <= \(now + offset)
          """) > 0
      guard isTaken else { return nil }
      return try db.row("SELECT id FROM apps WHERE number = \(due.app)", map: { try $0.text("id") })
    }
    // A row that cannot be read stays held, so that it does not keep the others waiting.
    guard let app else { return nil }
    return try await fileImport(due.id, app: app)
  }

  package func removeFile(
    ofImport id: String, app: String
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.number(of: app, db) else { return false }
      let isRemoved =
        try db.run(
          """
          UPDATE imports SET removed = TRUE, revision = revision + 1
          WHERE app = \(app) AND id = \(id) AND held_until IS NULL
          """) > 0
      guard isRemoved else { return false }
      try db.queue("DELETE FROM import_parts WHERE app = \(app) AND import = \(id)")
      return true
    }
  }

  /// Notes the lines of a step in their import, in the transaction that stores the lines.
  ///
  /// `count` is the number of devices that the lines leave without a token.
  ///
  /// - Throws: ``StoreError/Code/notFound`` if the import does not run, or the step does not follow on its last line.
  static func note(
    _ step: ImportStep, leaving count: Int, app: Int64, _ db: any SQLConnection
  ) throws {
    let isNext =
      try db.run(
        """
        UPDATE imports SET stored_line = \(step.lastLine),
          left_without_token = \(step.leftWithoutToken + count)
        WHERE app = \(app) AND id = \(step.file) AND stored_line = \(step.previousLine)
        AND state = \(FileImport.State.importing.rawValue)
        """) > 0
    guard isNext else {
      throw StoreError(
        .notFound, "the import was stopped or removed, or another node goes on with it")
    }
  }

  private static func fileImport(
    _ id: String, app: String, number: Int64, _ db: any SQLConnection
  ) throws -> FileImport? {
    try db.row(
      "SELECT \(FileImport.columns) FROM imports WHERE app = \(number) AND id = \(id)"
    ) { try FileImport(row: &$0, app: app) }
  }
}

extension FileImport {
  fileprivate static let columns: SQL = """
    id, file_name, size, parts, state, settings, report, progress, attempts, problem, uploaded_by,
    created_at, changed_at, removed, revision, stored_line, left_without_token
    """

  /// The values of ``columns``.
  fileprivate var values: [SQLValue] {
    [
      .text(id), .text(fileName), .integer(Int64(size)), .integer(Int64(parts)),
      .text(state.rawValue), .json(settings), .optional(report), .integer(Int64(progress)),
      .integer(Int64(attempts)), .optional(problem), .optional(uploadedBy), .time(createdAt),
      .time(changedAt), .bool(isFileRemoved), .integer(Int64(revision)),
      .integer(Int64(storedLine)), .integer(Int64(leftWithoutToken)),
    ]
  }

  fileprivate init(row: inout SQLRow, app: String) throws {
    let (id, name) = try (row.text("id"), row.text("file_name"))
    let (size, parts, state) = try (
      row.int("size"), row.int("parts"), row.word("state", State.self)
    )
    let (settings, report) = try (row.json("settings"), row.optionalJSON("report"))
    let (progress, attempts) = try (row.int("progress"), row.int("attempts"))
    let (problem, uploader) = try (row.optionalText("problem"), row.optionalText("uploaded_by"))
    self.init(id: id, app: app, fileName: name, createdAt: try row.time("created_at"))
    changedAt = try row.time("changed_at")
    (self.size, self.parts, self.state) = (size, parts, state)
    (self.settings, self.report) = (settings, report)
    (self.progress, self.attempts) = (progress, attempts)
    (self.problem, uploadedBy) = (problem, uploader)
    isFileRemoved = try row.bool("removed")
    revision = try row.int("revision")
    storedLine = try row.int("stored_line")
    leftWithoutToken = try row.int("left_without_token")
  }
}
