extension Migrations {
  /// Which push each device got last, and whether the app was opened because of it.
  static let attribution = """
    ALTER TABLE sends ADD COLUMN indirect INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE attributions (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, device INTEGER NOT NULL,
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      received_at INTEGER NOT NULL, opened_at INTEGER, direct INTEGER NOT NULL,
      PRIMARY KEY (app, device)
    ) WITHOUT ROWID;
    CREATE INDEX attributions_by_time ON attributions(received_at);
    """
}
