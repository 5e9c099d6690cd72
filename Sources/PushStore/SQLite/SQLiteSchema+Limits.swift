extension SQLiteSchema {
  /// Quiet hours: version 107.
  ///
  /// A node of version 106 does not know them, so it sends in them until it is upgraded.
  static let limits = """
    -- What holds for all campaigns of an app, beside its holdout.
    CREATE TABLE limits (
      app INTEGER NOT NULL, quiet TEXT,
      PRIMARY KEY (app)
    ) WITHOUT ROWID;
    -- The times in which nothing is sent to the devices; NULL for none.
    ALTER TABLE segments ADD COLUMN quiet TEXT;
    ALTER TABLE batches ADD COLUMN quiet TEXT;
    -- The rejected devices that were held back by quiet hours.
    ALTER TABLE sends ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
    """
}
