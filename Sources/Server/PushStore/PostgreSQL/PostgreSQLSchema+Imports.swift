extension PostgreSQLSchema {
  /// The files of devices that people upload, as on SQLite.
  static let imports = """
    CREATE TABLE imports (
      app BIGINT NOT NULL, id TEXT COLLATE "C" NOT NULL, file_name TEXT COLLATE "C" NOT NULL,
      size BIGINT NOT NULL, parts BIGINT NOT NULL, state TEXT COLLATE "C" NOT NULL,
      settings TEXT COLLATE "C" NOT NULL, report TEXT COLLATE "C", progress BIGINT NOT NULL,
      attempts BIGINT NOT NULL, problem TEXT COLLATE "C", uploaded_by TEXT COLLATE "C",
      created_at BIGINT NOT NULL, changed_at BIGINT NOT NULL, removed BOOL NOT NULL,
      revision BIGINT NOT NULL, held_until BIGINT,
      PRIMARY KEY (app, id)
    );
    CREATE INDEX imports_by_hold ON imports(held_until, id) WHERE held_until IS NOT NULL;
    CREATE TABLE import_parts (
      app BIGINT NOT NULL, import TEXT COLLATE "C" NOT NULL, part BIGINT NOT NULL,
      bytes BYTEA NOT NULL,
      PRIMARY KEY (app, import, part)
    );
    """

  /// How far each import has stored its file: version 128, as ``SQLiteSchema/importProgress``.
  static let importProgress = """
    ALTER TABLE imports ADD COLUMN stored_line BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE imports ADD COLUMN left_without_token BIGINT NOT NULL DEFAULT 0;
    """
}
