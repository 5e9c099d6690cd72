extension SQLiteSchema {
  /// The files of devices that people upload.
  ///
  /// A program without it neither imports nor removes them.
  static let imports = """
    -- `held_until` is when another node may work on the import; NULL if nothing is to be done.
    CREATE TABLE imports (
      app INTEGER NOT NULL, id TEXT NOT NULL, file_name TEXT NOT NULL, size INTEGER NOT NULL,
      parts INTEGER NOT NULL, state TEXT NOT NULL, settings TEXT NOT NULL, report TEXT,
      progress INTEGER NOT NULL, attempts INTEGER NOT NULL, problem TEXT, uploaded_by TEXT,
      created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, removed INTEGER NOT NULL,
      revision INTEGER NOT NULL, held_until INTEGER,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;
    CREATE INDEX imports_by_hold ON imports(held_until, id) WHERE held_until IS NOT NULL;
    CREATE TABLE import_parts (
      app INTEGER NOT NULL, import TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (app, import, part)
    );
    """

  /// How far each import has stored its file: version 128.
  ///
  /// A program without it stores an import whose node has ended again from the first line.
  static let importProgress = """
    -- The last line whose device is stored, and the devices that the lines have left without a token.
    ALTER TABLE imports ADD COLUMN stored_line INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE imports ADD COLUMN left_without_token INTEGER NOT NULL DEFAULT 0;
    """
}
