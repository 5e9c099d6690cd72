extension PostgreSQLSchema {
  /// Quiet hours: version 107, as ``SQLiteSchema/limits``.
  static let limits = """
    -- What holds for all campaigns of an app, beside its holdout.
    CREATE TABLE limits (
      app BIGINT NOT NULL, quiet TEXT COLLATE "C",
      PRIMARY KEY (app)
    );
    -- The times in which nothing is sent to the devices; NULL for none.
    ALTER TABLE segments ADD COLUMN quiet TEXT COLLATE "C";
    ALTER TABLE batches ADD COLUMN quiet TEXT COLLATE "C";
    -- The rejected devices that were held back by quiet hours.
    ALTER TABLE sends ADD COLUMN quiet BIGINT NOT NULL DEFAULT 0;
    """
}
