extension PostgreSQLSchema {
  /// The classes of sends: version 120, as ``SQLiteSchema/sendClasses``.
  static let sendClasses = """
    ALTER TABLE sends ADD COLUMN class TEXT COLLATE "C";
    ALTER TABLE segments ADD COLUMN transactional BOOL NOT NULL DEFAULT FALSE;
    ALTER TABLE batches ADD COLUMN transactional BOOL NOT NULL DEFAULT FALSE;
    ALTER TABLE keys ADD COLUMN class TEXT COLLATE "C";
    ALTER TABLE apps ADD COLUMN class TEXT COLLATE "C";
    CREATE INDEX segments_transactional ON segments(due_at, number, app) WHERE waits AND transactional;
    CREATE INDEX segments_of_campaigns ON segments(due_at, number, app) WHERE waits AND NOT transactional;
    CREATE INDEX batches_of_campaigns ON batches(due_at, number, app) WHERE waits AND NOT transactional;
    CREATE INDEX batches_transactional ON batches(due_at, number, app) WHERE waits AND transactional;
    """
}
