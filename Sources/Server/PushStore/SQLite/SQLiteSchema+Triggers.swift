extension SQLiteSchema {
  /// The tables of triggered campaigns.
  ///
  /// In a program without them, events enroll nobody. It cannot read the document of a triggered campaign, so it does
  /// not start, pause or send one.
  static let triggers = """
    -- Counted up when the triggers of the app's campaigns change.
    ALTER TABLE apps ADD COLUMN triggers INTEGER NOT NULL DEFAULT 0;

    -- What enrolls people in a campaign that was started. `seen` are the devices of the audience that
    -- people enter or leave, as they were when it was last looked at, `looks` how often it was. `removed`
    -- counts what retention has removed of the enrollments.
    CREATE TABLE triggers (
      app INTEGER NOT NULL, number INTEGER NOT NULL, campaign TEXT NOT NULL, state TEXT NOT NULL,
      definition TEXT NOT NULL, leased_until INTEGER NOT NULL, look_at INTEGER, looks INTEGER NOT NULL,
      seen BLOB, removed TEXT NOT NULL,
      PRIMARY KEY (app, number), UNIQUE (app, campaign)
    ) WITHOUT ROWID;

    -- A person in a campaign; `person` is `u` and the id of a user, or `d` and that of a device
    -- without one. `send` is the last notification that was for the person.
    CREATE TABLE enrollments (
      app INTEGER NOT NULL, trigger_number INTEGER NOT NULL, person TEXT NOT NULL,
      round INTEGER NOT NULL, step INTEGER NOT NULL, due_at INTEGER, entered_at INTEGER NOT NULL,
      ended_at INTEGER, sent_at INTEGER, send INTEGER, outcome TEXT, data TEXT,
      PRIMARY KEY (app, trigger_number, person, round)
    ) WITHOUT ROWID;
    CREATE INDEX enrollments_by_due ON enrollments(app, trigger_number, due_at)
      WHERE due_at IS NOT NULL;
    CREATE INDEX enrollments_by_end ON enrollments(app, ended_at) WHERE ended_at IS NOT NULL;

    -- What the events of a notification's people said, for its text.
    CREATE TABLE send_data (
      app INTEGER NOT NULL, send INTEGER NOT NULL, device INTEGER NOT NULL, data TEXT NOT NULL,
      PRIMARY KEY (app, send, device)
    ) WITHOUT ROWID;
    CREATE INDEX send_data_by_device ON send_data(app, device);

    -- The requests that enrolled people, by their idempotency keys.
    CREATE TABLE trigger_calls (
      app INTEGER NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL, enrolled INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (app, key)
    ) WITHOUT ROWID;
    """
}
