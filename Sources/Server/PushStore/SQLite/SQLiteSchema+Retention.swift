extension SQLiteSchema {
  /// The mark of sends of which retention has left nothing: version 129.
  ///
  /// A program without it looks at all sends that have ended whenever it removes what is outdated.
  static let emptiedSends = """
    -- Whether the outcomes and the receipts were removed; the send then takes no receipts.
    ALTER TABLE sends ADD COLUMN emptied INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX sends_to_empty ON sends(completed_at) WHERE completed_at IS NOT NULL AND NOT emptied;
    """
}
