extension SQLiteSchema {
  /// The classes of sends: version 120.
  ///
  /// A program without it leases the batches of both classes in one order.
  static let sendClasses = """
    -- The class that the caller has named; NULL if the number of devices decides.
    ALTER TABLE sends ADD COLUMN class TEXT;
    -- Whether the send is transactional; those of a program without classes wait among the campaigns.
    ALTER TABLE segments ADD COLUMN transactional INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batches ADD COLUMN transactional INTEGER NOT NULL DEFAULT 0;
    -- The class of sends for which their caller has named none.
    ALTER TABLE keys ADD COLUMN class TEXT;
    ALTER TABLE apps ADD COLUMN class TEXT;
    CREATE INDEX segments_transactional ON segments(due_at, number, app) WHERE waits AND transactional;
    CREATE INDEX segments_of_campaigns ON segments(due_at, number, app) WHERE waits AND NOT transactional;
    CREATE INDEX batches_of_campaigns ON batches(due_at, number, app) WHERE waits AND NOT transactional;
    CREATE INDEX batches_transactional ON batches(due_at, number, app) WHERE waits AND transactional;
    """
}
