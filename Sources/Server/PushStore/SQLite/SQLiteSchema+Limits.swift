extension SQLiteSchema {
  /// Quiet hours and frequency caps: version 107.
  ///
  /// A node of version 106 does not know them. Until it is upgraded, it ignores both, and does not count its pushes.
  static let limits = """
    -- What holds for all campaigns of an app, beside its holdout.
    CREATE TABLE limits (
      app INTEGER NOT NULL, quiet TEXT, caps TEXT,
      PRIMARY KEY (app)
    ) WITHOUT ROWID;
    -- The last pushes to 1024 devices each, which caps count; `newest` is the time of the last one.
    CREATE TABLE push_ledger (
      app INTEGER NOT NULL, page INTEGER NOT NULL, pushes BLOB NOT NULL, newest INTEGER NOT NULL,
      PRIMARY KEY (app, page)
    ) WITHOUT ROWID;
    -- The times in which nothing is sent to the devices; NULL for none.
    ALTER TABLE segments ADD COLUMN quiet TEXT;
    ALTER TABLE batches ADD COLUMN quiet TEXT;
    -- The rejected devices that were held back by quiet hours, and by caps.
    ALTER TABLE sends ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN capped INTEGER NOT NULL DEFAULT 0;
    -- 1 where the send obeys caps, 2 where caps count it, 3 for both.
    ALTER TABLE sends ADD COLUMN capping INTEGER NOT NULL DEFAULT 0;
    """

  /// The quiet hours of a notification, which one that replaces it keeps: version 126.
  ///
  /// A program without it loses them when a scheduled notification is edited.
  static let quietHours = """
    -- The hours as `1320-480 wait`; NULL if the notification has none, or is of a triggered campaign.
    ALTER TABLE sends ADD COLUMN quiet_hours TEXT;
    """
}
