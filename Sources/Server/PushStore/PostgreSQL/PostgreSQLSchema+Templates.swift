extension PostgreSQLSchema {
  /// Templates, approvals of campaigns, and idempotency keys of campaigns, as on SQLite.
  static let templates = """
    ALTER TABLE limits ADD COLUMN approval BOOL NOT NULL DEFAULT FALSE;
    ALTER TABLE campaigns ADD COLUMN approval TEXT COLLATE "C";
    CREATE TABLE campaign_calls (
      app BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL, fingerprint BYTEA NOT NULL,
      campaign TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL,
      PRIMARY KEY (app, key)
    );

    CREATE TABLE templates (
      app BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL, version BIGINT NOT NULL,
      payload TEXT COLLATE "C" NOT NULL, saved_at BIGINT NOT NULL, saved_by TEXT COLLATE "C",
      listed BOOL NOT NULL,
      PRIMARY KEY (app, name)
    );
    CREATE TABLE template_versions (
      app BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL, version BIGINT NOT NULL,
      payload TEXT COLLATE "C" NOT NULL, saved_at BIGINT NOT NULL, saved_by TEXT COLLATE "C",
      PRIMARY KEY (app, name, version)
    );
    """

  /// The run that has published a message: version 113, as ``SQLiteSchema/campaignMessages``.
  static let campaignMessages = """
    ALTER TABLE messages ADD COLUMN campaign TEXT COLLATE "C";
    ALTER TABLE messages ADD COLUMN run TEXT COLLATE "C";
    ALTER TABLE messages ADD COLUMN phase TEXT COLLATE "C";
    ALTER TABLE messages ADD COLUMN variant TEXT COLLATE "C";
    ALTER TABLE messages ADD COLUMN targeted BIGINT NOT NULL DEFAULT 0;
    CREATE INDEX messages_by_run ON messages(app, run) WHERE run IS NOT NULL;
    """

  /// The hours in which the app is opened on each device: version 114, as ``SQLiteSchema/openHours``.
  static let openHours = """
    ALTER TABLE devices ADD COLUMN open_hours BYTEA;
    """

  /// The icons of apps: version 115, as ``SQLiteSchema/appIcons``.
  static let appIcons = """
    ALTER TABLE apps ADD COLUMN icon TEXT COLLATE "C";
    """

  /// The last in-app message of a person: version 116, as ``SQLiteSchema/enrollmentMessages``.
  static let enrollmentMessages = """
    ALTER TABLE enrollments ADD COLUMN message BIGINT;
    """

  /// The indexes of what goes out when: version 122, as ``SQLiteSchema/schedule``.
  static let schedule = """
    CREATE INDEX sends_by_schedule ON sends(app, scheduled_at, number)
      WHERE scheduled_at IS NOT NULL;
    CREATE INDEX runs_by_state ON runs(app, state, planned_at);
    """
}
