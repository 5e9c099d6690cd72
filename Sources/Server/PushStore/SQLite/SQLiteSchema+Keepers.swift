extension SQLiteSchema {
  /// Kept Live Activities: version 125.
  ///
  /// A node of version 119 does not keep them, and removes the token of a phone that it has sent an end.
  static let keepers = """
    -- What an app's server wants of a Live Activity, and what its keeper knows. `due_at` is when
    -- the keeper is to be asked, NULL if only events lead on. A change is stored onto the version
    -- that it began with.
    CREATE TABLE kept_activities (
      app INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, document TEXT NOT NULL,
      version INTEGER NOT NULL, due_at INTEGER, created_at INTEGER NOT NULL,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;
    CREATE INDEX kept_activities_by_due ON kept_activities(due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX kept_activities_by_creation ON kept_activities(app, created_at);
    -- The starts, and the updates and ends with priority 10, that phones have got from keepers.
    CREATE TABLE activity_expenses (
      app INTEGER NOT NULL, device INTEGER NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (app, device, kind, at)
    ) WITHOUT ROWID;
    CREATE INDEX activity_expenses_by_time ON activity_expenses(app, at);
    """
}
