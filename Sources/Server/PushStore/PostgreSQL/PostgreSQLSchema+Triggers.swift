extension PostgreSQLSchema {
  /// The tables of triggered campaigns, as on SQLite.
  ///
  /// The order of the columns of enrollments avoids padding in the rows.
  static let triggers = """
    ALTER TABLE apps ADD COLUMN triggers BIGINT NOT NULL DEFAULT 0;

    CREATE TABLE triggers (
      app BIGINT NOT NULL, number BIGINT NOT NULL, campaign TEXT COLLATE "C" NOT NULL,
      state TEXT COLLATE "C" NOT NULL, definition TEXT COLLATE "C" NOT NULL,
      leased_until BIGINT NOT NULL, look_at BIGINT, looks BIGINT NOT NULL, seen BYTEA,
      removed TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (app, number), UNIQUE (app, campaign)
    ) WITH (fillfactor = 50);

    CREATE TABLE enrollments (
      app BIGINT NOT NULL, entered_at BIGINT NOT NULL, due_at BIGINT, ended_at BIGINT,
      sent_at BIGINT, send BIGINT, trigger_number INTEGER NOT NULL, round INTEGER NOT NULL,
      step SMALLINT NOT NULL, person TEXT COLLATE "C" NOT NULL, outcome TEXT COLLATE "C",
      data TEXT COLLATE "C",
      PRIMARY KEY (app, trigger_number, person, round)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
    CREATE INDEX enrollments_by_due ON enrollments(app, trigger_number, due_at)
      WHERE due_at IS NOT NULL;
    CREATE INDEX enrollments_by_end ON enrollments(app, ended_at) WHERE ended_at IS NOT NULL;

    CREATE TABLE send_data (
      app BIGINT NOT NULL, send BIGINT NOT NULL, device BIGINT NOT NULL,
      data TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (app, send, device)
    );
    CREATE INDEX send_data_by_device ON send_data(app, device);

    CREATE TABLE trigger_calls (
      app BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL, fingerprint BYTEA NOT NULL,
      enrolled BIGINT NOT NULL, at BIGINT NOT NULL,
      PRIMARY KEY (app, key)
    );
    """
}
