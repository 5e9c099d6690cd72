extension Migrations {
  /// Which devices of a batch wait for what, and what a send has heard of invalid ones.
  static let suspicion = """
    ALTER TABLE batches ADD COLUMN retries BLOB;
    ALTER TABLE sends ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN invalid INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN suspicion INTEGER NOT NULL DEFAULT 0;
    -- What is written to see whether the disk takes it; nothing stays in it.
    CREATE TABLE probes (bytes BLOB NOT NULL);
    """
}
