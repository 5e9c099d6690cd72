extension PostgreSQLSchema {
  /// Kept Live Activities: version 125.
  ///
  /// A node of version 119 does not keep them, and removes the token of a phone that it has sent an end.
  static let keepers = """
    -- What an app's server wants of a Live Activity, and what its keeper knows. `due_at` is when
    -- the keeper is to be asked, NULL if only events lead on. A change is stored onto the version
    -- that it began with.
    CREATE TABLE kept_activities (
      app BIGINT NOT NULL, id TEXT COLLATE "C" NOT NULL, type TEXT COLLATE "C" NOT NULL,
      document TEXT COLLATE "C" NOT NULL,
      version BIGINT NOT NULL, due_at BIGINT, created_at BIGINT NOT NULL,
      PRIMARY KEY (app, id)
    );
    CREATE INDEX kept_activities_by_due ON kept_activities(due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX kept_activities_by_creation ON kept_activities(app, created_at);
    -- The starts, and the updates and ends with priority 10, that phones have got from keepers.
    CREATE TABLE activity_expenses (
      app BIGINT NOT NULL, device BIGINT NOT NULL, kind TEXT COLLATE "C" NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (app, device, kind, at)
    );
    CREATE INDEX activity_expenses_by_time ON activity_expenses(app, at);
    """
}
