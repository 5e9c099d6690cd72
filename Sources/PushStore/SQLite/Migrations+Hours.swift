extension Migrations {
  /// What a send comes to, hour by hour; before this step nothing was counted so.
  static let hours = """
    CREATE TABLE send_hours (
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      time INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (send, time, kind, name)
    ) WITHOUT ROWID;
    """
}
