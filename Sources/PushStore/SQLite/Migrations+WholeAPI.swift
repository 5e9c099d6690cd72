import _SQLite

extension Migrations {
  /// Devices by their number in an app, sends with segments, outcomes by batch, and what the rest of
  /// the API keeps.
  static let wholeAPI = devices + sends + reports

  private static let devices = """
    ALTER TABLE apps ADD COLUMN number INTEGER;
    UPDATE apps SET number = (
      SELECT count(*) FROM apps AS other
      WHERE (other.created_at, other.id) <= (apps.created_at, apps.id));
    CREATE UNIQUE INDEX apps_by_number ON apps(number);

    ALTER TABLE devices RENAME TO old_devices;
    DROP INDEX devices_by_token;
    DROP INDEX devices_by_app;
    DROP INDEX devices_by_user;
    -- The key is the app's number in the upper 32 bits and the device's in the lower, so that the
    -- devices of an app lie together in their order. What leasing a batch reads comes first.
    CREATE TABLE devices (
      key INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
      token TEXT, platform TEXT NOT NULL, development INTEGER NOT NULL,
      push_enabled INTEGER NOT NULL, uninstalled_at INTEGER,
      user_id TEXT, user_email TEXT, tags TEXT NOT NULL, attributes TEXT NOT NULL,
      events TEXT NOT NULL, locale TEXT, time_zone TEXT, app_version TEXT, os_version TEXT,
      sdk_version TEXT, latitude REAL, longitude REAL, country TEXT, city TEXT,
      public_key TEXT, auth_secret TEXT, badge INTEGER,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, token_at INTEGER,
      last_opened_at INTEGER, erased_at INTEGER,
      UNIQUE (app, id)
    );
    INSERT INTO devices (
      key, app, id, token, platform, development, push_enabled, uninstalled_at, user_id, user_email,
      tags, attributes, events, locale, time_zone, app_version, os_version, public_key,
      auth_secret, badge, created_at, updated_at, token_at)
    SELECT
      apps.number << 32 | old.number, apps.number, old.id, token, platform, development,
      push_enabled, uninstalled_at, user_id, user_email, tags, attributes, '{}', locale, time_zone,
      app_version, os_version, public_key, auth_secret, badge, old.created_at, updated_at, token_at
    FROM old_devices AS old JOIN apps ON apps.id = old.app ORDER BY 1;
    DROP TABLE old_devices;
    CREATE UNIQUE INDEX devices_by_token ON devices(app, token) WHERE token IS NOT NULL;
    CREATE INDEX devices_by_user ON devices(app, user_id) WHERE user_id IS NOT NULL;
    CREATE INDEX devices_by_uninstalled ON devices(app, uninstalled_at, key)
      WHERE uninstalled_at IS NOT NULL;

    -- Every change of a device, in order.
    CREATE TABLE changes (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE,
      sequence INTEGER NOT NULL, device INTEGER NOT NULL,
      PRIMARY KEY (app, sequence)
    ) WITHOUT ROWID;

    """

  private static let sends = """
    ALTER TABLE audiences ADD COLUMN name TEXT;
    ALTER TABLE audiences ADD COLUMN test INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE audiences ADD COLUMN updated_at INTEGER;
    UPDATE audiences SET updated_at = created_at;
    CREATE INDEX audiences_by_app ON audiences(app, created_at, id) WHERE name IS NOT NULL;

    ALTER TABLE sends ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN displayed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN opened INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN scheduled_at INTEGER;
    ALTER TABLE sends ADD COLUMN local_time INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sends ADD COLUMN expires_at INTEGER;
    ALTER TABLE sends ADD COLUMN throttle INTEGER;
    ALTER TABLE sends ADD COLUMN idempotency_key TEXT;
    ALTER TABLE sends ADD COLUMN fingerprint BLOB;
    ALTER TABLE sends ADD COLUMN group_name TEXT;
    ALTER TABLE sends ADD COLUMN failure TEXT;
    -- When its expiry is to be acted on; NULL once that was done.
    ALTER TABLE sends ADD COLUMN ends_at INTEGER;
    CREATE UNIQUE INDEX sends_by_idempotency_key ON sends(app, idempotency_key)
      WHERE idempotency_key IS NOT NULL;
    CREATE INDEX sends_by_group ON sends(app, group_name, created_at) WHERE group_name IS NOT NULL;
    CREATE INDEX sends_by_end ON sends(ends_at) WHERE ends_at IS NOT NULL;

    -- Whom a send is for, by when; `taken` of them are in batches.
    CREATE TABLE segments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      devices BLOB NOT NULL, taken INTEGER NOT NULL, due_at INTEGER NOT NULL,
      waits INTEGER NOT NULL
    );
    CREATE INDEX segments_by_due ON segments(due_at, id) WHERE waits;
    CREATE INDEX segments_by_send ON segments(send);

    ALTER TABLE batches RENAME TO old_batches;
    ALTER TABLE outcomes RENAME TO old_outcomes;
    DROP INDEX batches_by_due;
    DROP INDEX batches_by_send;
    -- A queue row is devices, due at `due_at`; a lease moves that into the future, so a lapsed lease
    -- and a planned retry are the same thing. A row that does not wait is held by a pause; once it
    -- has ended it has no time, and stays for its outcomes.
    CREATE TABLE batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      first INTEGER NOT NULL, last INTEGER NOT NULL, devices BLOB NOT NULL, outcomes BLOB,
      due_at INTEGER, waits INTEGER NOT NULL, owner TEXT, lease INTEGER NOT NULL,
      fruitless INTEGER NOT NULL
    );
    CREATE INDEX batches_by_due ON batches(due_at, id) WHERE waits;
    CREATE INDEX batches_open ON batches(send) WHERE due_at IS NOT NULL;
    CREATE INDEX batches_by_device ON batches(send, first);

    """

  private static let reports = """
    CREATE TABLE messages (
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
      app TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE, audience TEXT NOT NULL,
      send TEXT, title TEXT NOT NULL, content TEXT NOT NULL, devices BLOB,
      created_at INTEGER NOT NULL, publish_at INTEGER NOT NULL, unpublish_at INTEGER NOT NULL,
      seen_0 INTEGER NOT NULL, seen_1 INTEGER NOT NULL, seen_2 INTEGER NOT NULL
    );
    CREATE INDEX messages_by_app ON messages(app, number);
    CREATE INDEX messages_by_end ON messages(unpublish_at);
    CREATE TABLE impressions (
      message INTEGER NOT NULL REFERENCES messages(number) ON DELETE CASCADE,
      device INTEGER NOT NULL, kind INTEGER NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (message, device, kind)
    ) WITHOUT ROWID;

    CREATE TABLE receipts (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE, device INTEGER NOT NULL,
      event TEXT NOT NULL, at INTEGER NOT NULL, media TEXT, reason TEXT, milliseconds INTEGER,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;
    CREATE INDEX receipts_by_send ON receipts(send);
    CREATE TABLE tallies (
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (send, kind, name)
    ) WITHOUT ROWID;

    CREATE TABLE counters (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE,
      counter TEXT NOT NULL, time INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (app, counter, time)
    ) WITHOUT ROWID;
    -- Which devices a day has counted; those of earlier days are removed as new ones come.
    CREATE TABLE active_devices (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE,
      day INTEGER NOT NULL, device INTEGER NOT NULL,
      PRIMARY KEY (app, day, device)
    ) WITHOUT ROWID;

    CREATE TABLE webhooks (
      id TEXT PRIMARY KEY, app TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
      url TEXT NOT NULL, events TEXT NOT NULL, sealed_secret BLOB NOT NULL,
      created_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX webhooks_by_app ON webhooks(app);
    CREATE TABLE webhook_calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      webhook TEXT NOT NULL REFERENCES webhooks(id) ON DELETE CASCADE,
      event TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL, owner TEXT, lease INTEGER NOT NULL, attempts INTEGER NOT NULL
    );
    CREATE INDEX webhook_calls_by_due ON webhook_calls(due_at, id);
    CREATE INDEX webhook_calls_by_webhook ON webhook_calls(webhook);

    -- Outlives the apps it speaks of.
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT, key TEXT, action TEXT NOT NULL,
      object TEXT, address TEXT, at INTEGER NOT NULL
    );
    CREATE INDEX audit_by_app ON audit(app, number);
    """
}
