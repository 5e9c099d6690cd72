import PushModel

/// The tables and indexes of a SQLite database.
///
/// Times are milliseconds since 1970. Each row refers to its app by the app's number. Tables whose rows are not found
/// by a row id are `WITHOUT ROWID`.
enum SQLiteSchema {
  static let statements = """
    CREATE TABLE apps (
      number INTEGER NOT NULL UNIQUE, id TEXT PRIMARY KEY, name TEXT NOT NULL,
      bundle_id TEXT NOT NULL, team_id TEXT NOT NULL, key_id TEXT NOT NULL,
      sealed_key BLOB NOT NULL, created_at INTEGER NOT NULL, throttle INTEGER,
      identity TEXT NOT NULL
    ) WITHOUT ROWID;

    -- The app of a key is its id: a key is found by its hash, before its app's number is known.
    CREATE TABLE keys (
      id TEXT PRIMARY KEY, app TEXT REFERENCES apps(id) ON DELETE CASCADE, role TEXT NOT NULL,
      hash BLOB NOT NULL UNIQUE, created_at INTEGER NOT NULL, allow TEXT NOT NULL,
      per_second INTEGER, expires_at INTEGER, development INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX keys_by_app ON keys(app);

    -- The public keys with which an app's server proves who its users are.
    CREATE TABLE identity_keys (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
      pem TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;

    -- The key is the app's number in the upper 32 bits and the device's in the lower, so that the
    -- devices of an app are stored together in their order. What leasing a batch reads comes first.
    -- Tags are a JSON array, attributes {"name": {"type": …, "value": …}}, events
    -- {"name": [count, first, last]}.
    CREATE TABLE devices (
      key INTEGER PRIMARY KEY,
      app INTEGER NOT NULL, id TEXT NOT NULL,
      token TEXT, platform TEXT NOT NULL, development INTEGER NOT NULL,
      push_enabled INTEGER NOT NULL, uninstalled_at INTEGER,
      user_id TEXT, user_email TEXT, tags TEXT NOT NULL, attributes TEXT NOT NULL,
      events TEXT NOT NULL, locale TEXT, time_zone TEXT, app_version TEXT, os_version TEXT,
      sdk_version TEXT, latitude REAL, longitude REAL, country TEXT, city TEXT,
      public_key TEXT, auth_secret TEXT, badge INTEGER,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, token_at INTEGER,
      last_opened_at INTEGER, erased_at INTEGER, push_quiet INTEGER NOT NULL,
      secret_hash BLOB,
      UNIQUE (app, id)
    );
    CREATE UNIQUE INDEX devices_by_token ON devices(app, token) WHERE token IS NOT NULL;
    CREATE INDEX devices_by_user ON devices(app, user_id) WHERE user_id IS NOT NULL;
    CREATE INDEX devices_by_uninstalled ON devices(app, uninstalled_at, key)
      WHERE uninstalled_at IS NOT NULL;

    -- Every change of a device, in the order of commits.
    CREATE TABLE changes (
      app INTEGER NOT NULL,
      sequence INTEGER NOT NULL, device INTEGER NOT NULL,
      PRIMARY KEY (app, sequence)
    ) WITHOUT ROWID;

    -- An audience without a name was made for one send.
    CREATE TABLE audiences (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
      name TEXT, test INTEGER NOT NULL, filters TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;
    CREATE INDEX audiences_by_app ON audiences(app, created_at, id) WHERE name IS NOT NULL;

    -- `ends_at` is when the expiry of a send is to be acted on, NULL once that was done.
    CREATE TABLE sends (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE,
      id TEXT NOT NULL UNIQUE, message_id TEXT NOT NULL UNIQUE, audience TEXT NOT NULL,
      payload TEXT NOT NULL, state TEXT NOT NULL,
      created_at INTEGER NOT NULL, started_at INTEGER, completed_at INTEGER,
      targeted INTEGER NOT NULL, sent INTEGER NOT NULL, rejected INTEGER NOT NULL,
      uninstalled INTEGER NOT NULL, delivered INTEGER NOT NULL, displayed INTEGER NOT NULL,
      opened INTEGER NOT NULL, indirect INTEGER NOT NULL,
      scheduled_at INTEGER, local_time INTEGER NOT NULL, expires_at INTEGER, throttle INTEGER,
      idempotency_key TEXT, fingerprint BLOB, group_name TEXT, failure TEXT, ends_at INTEGER,
      answered INTEGER NOT NULL, invalid INTEGER NOT NULL, suspicion INTEGER NOT NULL,
      activity TEXT, activity_push TEXT, trace TEXT,
      name TEXT, labels TEXT, campaign TEXT, run TEXT, phase TEXT, variant TEXT
    );
    CREATE INDEX sends_by_app ON sends(app, number);
    -- A send to a Live Activity is in its activity's list, and not in that of the notifications.
    CREATE INDEX sends_listed ON sends(app, number) WHERE activity IS NULL;
    CREATE INDEX sends_by_activity ON sends(app, activity, number) WHERE activity IS NOT NULL;
    CREATE UNIQUE INDEX sends_by_idempotency_key ON sends(app, idempotency_key)
      WHERE idempotency_key IS NOT NULL;
    CREATE INDEX sends_by_group ON sends(app, group_name, created_at) WHERE group_name IS NOT NULL;
    CREATE INDEX sends_by_end ON sends(ends_at) WHERE ends_at IS NOT NULL;
    CREATE INDEX sends_by_state ON sends(app, state, number) WHERE activity IS NULL;
    CREATE INDEX sends_by_run ON sends(app, run) WHERE run IS NOT NULL;
    -- The words and labels by which notifications are found. A word begins with `w:`, a label with
    -- `l:`.
    CREATE TABLE send_terms (
      app INTEGER NOT NULL, term TEXT NOT NULL, send INTEGER NOT NULL,
      PRIMARY KEY (app, term, send)
    ) WITHOUT ROWID;
    CREATE INDEX send_terms_by_send ON send_terms(send);

    -- `document` is what the campaign sends, to whom and when; `search` its name and labels in
    -- lower case.
    CREATE TABLE campaigns (
      app INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, labels TEXT,
      search TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL,
      document TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;
    CREATE INDEX campaigns_by_time ON campaigns(app, created_at, id);
    -- What the documents of a campaign were when they were saved; none is changed.
    CREATE TABLE campaign_versions (
      app INTEGER NOT NULL, campaign TEXT NOT NULL, version INTEGER NOT NULL, document TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (app, campaign, version)
    ) WITHOUT ROWID;
    -- An occurrence of a campaign. `due_at` is when a node has something to do for it, unless the
    -- campaign is paused; `report` is what is known of it beside the counts of its sends.
    CREATE TABLE runs (
      app INTEGER NOT NULL, id TEXT NOT NULL, campaign TEXT NOT NULL, number INTEGER NOT NULL,
      version INTEGER NOT NULL, state TEXT NOT NULL, planned_at INTEGER NOT NULL, due_at INTEGER,
      waits INTEGER NOT NULL, started_at INTEGER, settled_at INTEGER, reason TEXT, report TEXT NOT NULL,
      PRIMARY KEY (app, id), UNIQUE (app, campaign, number)
    ) WITHOUT ROWID;
    CREATE INDEX runs_by_due ON runs(due_at, app) WHERE waits;
    -- The devices of a run that get nothing, or nothing yet, by the reason.
    CREATE TABLE run_devices (
      app INTEGER NOT NULL, run TEXT NOT NULL, kind TEXT NOT NULL, devices BLOB NOT NULL,
      PRIMARY KEY (app, run, kind)
    ) WITHOUT ROWID;
    -- The share of an app's people that campaigns leave out.
    CREATE TABLE holdouts (
      app INTEGER NOT NULL, percent INTEGER NOT NULL, salt TEXT NOT NULL, since INTEGER NOT NULL,
      PRIMARY KEY (app)
    ) WITHOUT ROWID;

    -- The devices of a send that are due at one time; `taken` of them are in batches. Once all are,
    -- `due_at` is NULL, and the row stays, for only these devices can have receipts.
    CREATE TABLE segments (
      number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL,
      send INTEGER NOT NULL,
      devices BLOB NOT NULL, taken INTEGER NOT NULL, due_at INTEGER,
      waits INTEGER NOT NULL
    );
    -- What is due is looked for in all apps, and locked in one.
    CREATE INDEX segments_by_due ON segments(due_at, number, app) WHERE waits;
    CREATE INDEX segments_by_send ON segments(send);

    -- A batch is due at `due_at`; a lease moves that into the future, so a lapsed lease and a planned
    -- retry are the same thing. A batch that does not wait is held by a pause; once it has ended,
    -- `due_at` is NULL and the row stays for its outcomes.
    CREATE TABLE batches (
      number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL,
      send INTEGER NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, devices BLOB NOT NULL, outcomes BLOB,
      retries BLOB, due_at INTEGER, waits INTEGER NOT NULL, owner TEXT, lease INTEGER NOT NULL,
      fruitless INTEGER NOT NULL
    );
    CREATE INDEX batches_by_due ON batches(due_at, number, app) WHERE waits;
    CREATE INDEX batches_open ON batches(send) WHERE due_at IS NOT NULL;
    CREATE INDEX batches_by_device ON batches(send, first);

    -- What devices report of a send. These rows are removed with their send, so its number comes first
    -- in the keys.
    CREATE TABLE receipts (
      app INTEGER NOT NULL, send INTEGER NOT NULL, device INTEGER NOT NULL, id TEXT NOT NULL,
      event TEXT NOT NULL, at INTEGER NOT NULL, media TEXT, reason TEXT, milliseconds INTEGER,
      PRIMARY KEY (send, device, id)
    ) WITHOUT ROWID;
    CREATE TABLE tallies (
      app INTEGER NOT NULL, send INTEGER NOT NULL,
      kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (send, app, kind, name)
    ) WITHOUT ROWID;
    CREATE TABLE send_hours (
      app INTEGER NOT NULL, send INTEGER NOT NULL,
      time INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (send, app, time, kind, name)
    ) WITHOUT ROWID;

    -- The last push that each device received, and whether the app was opened because of it.
    CREATE TABLE attributions (
      app INTEGER NOT NULL, device INTEGER NOT NULL,
      send INTEGER NOT NULL,
      received_at INTEGER NOT NULL, opened_at INTEGER, direct INTEGER NOT NULL,
      PRIMARY KEY (app, device)
    ) WITHOUT ROWID;
    -- The events with an id that each device has counted.
    CREATE TABLE event_ids (
      app INTEGER NOT NULL, device INTEGER NOT NULL,
      id TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (app, device, id)
    ) WITHOUT ROWID;
    CREATE INDEX event_ids_by_time ON event_ids(app, at);

    CREATE TABLE counters (
      app INTEGER NOT NULL,
      counter TEXT NOT NULL, time INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (app, counter, time)
    ) WITHOUT ROWID;
    -- The devices that a day has counted; rows of earlier days are removed as new ones come.
    CREATE TABLE active_devices (
      app INTEGER NOT NULL,
      day INTEGER NOT NULL, device INTEGER NOT NULL,
      PRIMARY KEY (app, day, device)
    ) WITHOUT ROWID;

    -- A message that is not wide has a row for each of its devices, with the device's user of then: it
    -- is not shown to another user. A wide one is for all, or has its
    -- devices in shards.
    CREATE TABLE messages (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL UNIQUE,
      audience TEXT NOT NULL, send TEXT, title TEXT NOT NULL, content TEXT NOT NULL,
      wide INTEGER NOT NULL, for_all INTEGER NOT NULL,
      created_at INTEGER NOT NULL, publish_at INTEGER NOT NULL, unpublish_at INTEGER NOT NULL,
      seen_0 INTEGER NOT NULL, seen_1 INTEGER NOT NULL, seen_2 INTEGER NOT NULL
    );
    CREATE INDEX messages_by_app ON messages(app, number);
    CREATE INDEX messages_by_end ON messages(unpublish_at);
    CREATE INDEX messages_wide ON messages(app, unpublish_at) WHERE wide;
    CREATE TABLE message_devices (
      app INTEGER NOT NULL, device INTEGER NOT NULL,
      message INTEGER NOT NULL REFERENCES messages(number) ON DELETE CASCADE, user_id TEXT,
      PRIMARY KEY (app, device, message)
    ) WITHOUT ROWID;
    CREATE INDEX message_devices_by_message ON message_devices(message);
    -- A shard is the devices of a message whose numbers are close together.
    CREATE TABLE message_shards (
      app INTEGER NOT NULL,
      message INTEGER NOT NULL REFERENCES messages(number) ON DELETE CASCADE,
      shard INTEGER NOT NULL, devices BLOB NOT NULL,
      PRIMARY KEY (message, shard)
    ) WITHOUT ROWID;
    -- What a user, or a device without one, has read; a message without a row is unread.
    CREATE TABLE message_states (
      app INTEGER NOT NULL, owner TEXT NOT NULL,
      message INTEGER NOT NULL,
      hidden INTEGER NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (app, owner, message)
    ) WITHOUT ROWID;
    CREATE INDEX message_states_by_message ON message_states(message);
    CREATE TABLE impressions (
      app INTEGER NOT NULL,
      message INTEGER NOT NULL,
      device INTEGER NOT NULL, kind INTEGER NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (message, device, kind)
    ) WITHOUT ROWID;

    CREATE TABLE webhooks (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT PRIMARY KEY,
      url TEXT NOT NULL, events TEXT NOT NULL, sealed_secret BLOB NOT NULL,
      created_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX webhooks_by_app ON webhooks(app);
    CREATE TABLE webhook_calls (
      number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL,
      webhook TEXT NOT NULL,
      event TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL, owner TEXT, lease INTEGER NOT NULL, attempts INTEGER NOT NULL
    );
    CREATE INDEX webhook_calls_by_due ON webhook_calls(due_at, number, app);
    CREATE INDEX webhook_calls_by_webhook ON webhook_calls(webhook);

    -- The audit log outlives the apps that it names, by their ids.
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT, key TEXT, action TEXT NOT NULL,
      object TEXT, address TEXT, at INTEGER NOT NULL
    );
    CREATE INDEX audit_by_app ON audit(app, number);

    -- The mark with which the values begin that are sealed with the secret in use, in one row.
    CREATE TABLE secret (number INTEGER PRIMARY KEY CHECK (number = 1), mark BLOB NOT NULL);

    -- Sessions of the dashboard that were ended, by the hashes of their form tokens.
    CREATE TABLE ended_sessions (id BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;

    -- The files of uploads are beside the database.
    CREATE TABLE uploads (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, name TEXT PRIMARY KEY,
      created_at INTEGER NOT NULL, size INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX uploads_by_app ON uploads(app);
    -- The sends and messages that name an upload, which is kept as long as there is one.
    CREATE TABLE upload_uses (
      app INTEGER NOT NULL, upload TEXT NOT NULL REFERENCES uploads(name) ON DELETE CASCADE,
      send INTEGER REFERENCES sends(number) ON DELETE CASCADE,
      message INTEGER REFERENCES messages(number) ON DELETE CASCADE
    );
    CREATE INDEX upload_uses_by_upload ON upload_uses(upload);
    CREATE INDEX upload_uses_by_send ON upload_uses(send);
    CREATE INDEX upload_uses_by_message ON upload_uses(message);

    -- The push tokens of Live Activities. The subject is `start/TYPE` for a token that starts
    -- activities of a type, and `activity/ID` for one that updates an activity and expires.
    CREATE TABLE activity_tokens (
      app INTEGER NOT NULL, subject TEXT NOT NULL,
      device INTEGER NOT NULL, type TEXT NOT NULL, token TEXT NOT NULL, at INTEGER NOT NULL,
      expires_at INTEGER,
      PRIMARY KEY (app, subject, device)
    ) WITHOUT ROWID;
    CREATE INDEX activity_tokens_by_device ON activity_tokens(app, device, at);
    CREATE INDEX activity_tokens_by_token ON activity_tokens(app, token);
    CREATE INDEX activity_tokens_by_end ON activity_tokens(app, expires_at)
      WHERE expires_at IS NOT NULL;
    -- The Live Activities to which something was sent, with the last timestamp in seconds.
    CREATE TABLE activities (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL, type TEXT,
      event TEXT NOT NULL, timestamp INTEGER NOT NULL, removed INTEGER NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;
    CREATE INDEX activities_by_time ON activities(app, updated_at);
    -- The broadcast channels that were created at Apple.
    CREATE TABLE channels (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
      storage TEXT NOT NULL, development INTEGER NOT NULL, created_at INTEGER NOT NULL,
      UNIQUE (app, id)
    );

    -- Written to see whether the disk takes a write; no row stays.
    CREATE TABLE probes (bytes BLOB NOT NULL);
    """
}
