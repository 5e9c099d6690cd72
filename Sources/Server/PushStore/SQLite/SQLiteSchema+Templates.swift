extension SQLiteSchema {
  /// Templates, approvals of campaigns, and idempotency keys of campaigns.
  ///
  /// A program without them starts campaigns that nobody has approved.
  static let templates = """
    -- Whether the app's campaigns start only with an approval.
    ALTER TABLE limits ADD COLUMN approval INTEGER NOT NULL DEFAULT 0;
    -- Who has submitted and approved which version; NULL where nobody has.
    ALTER TABLE campaigns ADD COLUMN approval TEXT;
    -- The requests that added campaigns, by their idempotency keys.
    CREATE TABLE campaign_calls (
      app INTEGER NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL, campaign TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (app, key)
    ) WITHOUT ROWID;

    -- The newest version of each template; one that is not listed was deleted.
    CREATE TABLE templates (
      app INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, payload TEXT NOT NULL,
      saved_at INTEGER NOT NULL, saved_by TEXT, listed INTEGER NOT NULL,
      PRIMARY KEY (app, name)
    ) WITHOUT ROWID;
    -- A row is never changed: campaigns name it.
    CREATE TABLE template_versions (
      app INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, payload TEXT NOT NULL,
      saved_at INTEGER NOT NULL, saved_by TEXT,
      PRIMARY KEY (app, name, version)
    ) WITHOUT ROWID;
    """

  /// The run that has published a message, with the number of its devices: version 113.
  ///
  /// A program without it skips the runs of campaigns with messages.
  static let campaignMessages = """
    ALTER TABLE messages ADD COLUMN campaign TEXT;
    ALTER TABLE messages ADD COLUMN run TEXT;
    ALTER TABLE messages ADD COLUMN phase TEXT;
    ALTER TABLE messages ADD COLUMN variant TEXT;
    ALTER TABLE messages ADD COLUMN targeted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX messages_by_run ON messages(app, run) WHERE run IS NOT NULL;
    """

  /// The hours in which the app is opened on each device: version 114.
  ///
  /// A program without it counts no openings by hour, and sends campaigns with the best time at once.
  static let openHours = """
    -- The packed counts of each hour of the day; NULL for none.
    ALTER TABLE devices ADD COLUMN open_hours BLOB;
    """

  /// The icons of apps: version 115.
  ///
  /// A program without it may remove an icon's file when it is old.
  static let appIcons = """
    -- The name of an upload, which is kept as long as it is the icon.
    ALTER TABLE apps ADD COLUMN icon TEXT;
    """

  /// The last in-app message of a person in a triggered campaign: version 116.
  ///
  /// A program without it does not send triggered campaigns with messages.
  static let enrollmentMessages = """
    -- The number of the message, which retention may have removed.
    ALTER TABLE enrollments ADD COLUMN message INTEGER;
    """

  /// The indexes of what goes out when: version 122.
  ///
  /// A program without it has no calendar.
  static let schedule = """
    CREATE INDEX sends_by_schedule ON sends(app, scheduled_at, number)
      WHERE scheduled_at IS NOT NULL;
    CREATE INDEX runs_by_state ON runs(app, state, planned_at);
    """
}
