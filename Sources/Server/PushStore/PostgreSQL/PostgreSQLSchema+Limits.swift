extension PostgreSQLSchema {
  /// Quiet hours and frequency caps: version 107, as ``SQLiteSchema/limits``.
  static let limits = """
    -- What holds for all campaigns of an app, beside its holdout.
    CREATE TABLE limits (
      app BIGINT NOT NULL, quiet TEXT COLLATE "C", caps TEXT COLLATE "C",
      PRIMARY KEY (app)
    );
    -- The last pushes to 1024 devices each, which caps count; `newest` is the time of the last one.
    CREATE TABLE push_ledger (
      app BIGINT NOT NULL, page BIGINT NOT NULL, pushes BYTEA NOT NULL, newest BIGINT NOT NULL,
      PRIMARY KEY (app, page)
    );
    -- The times in which nothing is sent to the devices; NULL for none.
    ALTER TABLE segments ADD COLUMN quiet TEXT COLLATE "C";
    ALTER TABLE batches ADD COLUMN quiet TEXT COLLATE "C";
    -- The rejected devices that were held back by quiet hours, and by caps.
    ALTER TABLE sends ADD COLUMN quiet BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN capped BIGINT NOT NULL DEFAULT 0;
    -- 1 where the send obeys caps, 2 where caps count it, 3 for both.
    ALTER TABLE sends ADD COLUMN capping BIGINT NOT NULL DEFAULT 0;
    """

  /// The quiet hours of a notification: version 126, as ``SQLiteSchema/quietHours``.
  static let quietHours = """
    ALTER TABLE sends ADD COLUMN quiet_hours TEXT COLLATE "C";
    """
}
