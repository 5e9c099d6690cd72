extension PostgreSQLSchema {
  /// The mark of sends of which retention has left nothing: version 129, as ``SQLiteSchema/emptiedSends``.
  static let emptiedSends = """
    ALTER TABLE sends ADD COLUMN emptied BOOL NOT NULL DEFAULT FALSE;
    CREATE INDEX sends_to_empty ON sends(completed_at) WHERE completed_at IS NOT NULL AND NOT emptied;
    """
}
