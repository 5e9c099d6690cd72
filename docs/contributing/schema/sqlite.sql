-- The tables and indexes that all steps of the schema make together. It is written by
-- RECORD_DOCS=1 scripts/test SchemaFileTests

CREATE TABLE account_identities (
  issuer TEXT NOT NULL, subject TEXT NOT NULL,
  account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE UNIQUE INDEX account_identities_by_account ON account_identities(account, issuer);
CREATE TABLE account_links (
  hash BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
, maker TEXT, scope TEXT) WITHOUT ROWID;
CREATE INDEX account_links_by_account ON account_links(account);
CREATE TABLE account_passkeys (
  id BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  public_key BLOB NOT NULL, signature_count INTEGER NOT NULL, name TEXT NOT NULL,
  created_at INTEGER NOT NULL, used_at INTEGER
) WITHOUT ROWID;
CREATE INDEX account_passkeys_by_account ON account_passkeys(account);
CREATE TABLE account_roles (
  account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE, app TEXT NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (account, app)
) WITHOUT ROWID;
CREATE INDEX account_roles_by_app ON account_roles(app);
CREATE TABLE account_sessions (
  hash BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  confirmed INTEGER NOT NULL, created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, address TEXT NOT NULL, agent TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX account_sessions_by_account ON account_sessions(account);
CREATE INDEX account_sessions_by_end ON account_sessions(expires_at);
CREATE TABLE accounts (
  id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, password TEXT,
  second_factor BLOB, last_step INTEGER NOT NULL, created_at INTEGER NOT NULL
, codes_spent_until INTEGER NOT NULL DEFAULT 0, maker TEXT, scope TEXT) WITHOUT ROWID;
CREATE TABLE active_devices (
  app INTEGER NOT NULL,
  day INTEGER NOT NULL, device INTEGER NOT NULL,
  PRIMARY KEY (app, day, device)
) WITHOUT ROWID;
CREATE TABLE activities (
  app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL, type TEXT,
  event TEXT NOT NULL, timestamp INTEGER NOT NULL, removed INTEGER NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (app, id)
) WITHOUT ROWID;
CREATE INDEX activities_by_time ON activities(app, updated_at);
CREATE TABLE activity_expenses (
  app INTEGER NOT NULL, device INTEGER NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (app, device, kind, at)
) WITHOUT ROWID;
CREATE INDEX activity_expenses_by_time ON activity_expenses(app, at);
CREATE TABLE activity_tokens (
  app INTEGER NOT NULL, subject TEXT NOT NULL,
  device INTEGER NOT NULL, type TEXT NOT NULL, token TEXT NOT NULL, at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (app, subject, device)
) WITHOUT ROWID;
CREATE INDEX activity_tokens_by_device ON activity_tokens(app, device, at);
CREATE INDEX activity_tokens_by_end ON activity_tokens(app, expires_at)
  WHERE expires_at IS NOT NULL;
CREATE INDEX activity_tokens_by_token ON activity_tokens(app, token);
CREATE TABLE apps (
  number INTEGER NOT NULL UNIQUE, id TEXT PRIMARY KEY, name TEXT NOT NULL,
  bundle_id TEXT NOT NULL, team_id TEXT NOT NULL, key_id TEXT NOT NULL,
  sealed_key BLOB NOT NULL, created_at INTEGER NOT NULL, throttle INTEGER,
  identity TEXT NOT NULL
, triggers INTEGER NOT NULL DEFAULT 0, icon TEXT, class TEXT) WITHOUT ROWID;
CREATE TABLE attributions (
  app INTEGER NOT NULL, device INTEGER NOT NULL,
  send INTEGER NOT NULL,
  received_at INTEGER NOT NULL, opened_at INTEGER, direct INTEGER NOT NULL,
  PRIMARY KEY (app, device)
) WITHOUT ROWID;
CREATE TABLE audiences (
  app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
  name TEXT, test INTEGER NOT NULL, filters TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  PRIMARY KEY (app, id)
) WITHOUT ROWID;
CREATE INDEX audiences_by_app ON audiences(app, created_at, id) WHERE name IS NOT NULL;
CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT, key TEXT, action TEXT NOT NULL,
  object TEXT, address TEXT, at INTEGER NOT NULL
, account TEXT, name TEXT);
CREATE INDEX audit_by_app ON audit(app, number);
CREATE INDEX audit_by_object ON audit(object, number) WHERE object IS NOT NULL;
CREATE TABLE batches (
  number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL,
  send INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, devices BLOB NOT NULL, outcomes BLOB,
  retries BLOB, due_at INTEGER, waits INTEGER NOT NULL, owner TEXT, lease INTEGER NOT NULL,
  fruitless INTEGER NOT NULL
, quiet TEXT, transactional INTEGER NOT NULL DEFAULT 0);
CREATE INDEX batches_by_device ON batches(send, first);
CREATE INDEX batches_by_due ON batches(due_at, number, app) WHERE waits;
CREATE INDEX batches_of_campaigns ON batches(due_at, number, app) WHERE waits AND NOT transactional;
CREATE INDEX batches_open ON batches(send) WHERE due_at IS NOT NULL;
CREATE INDEX batches_transactional ON batches(due_at, number, app) WHERE waits AND transactional;
CREATE TABLE campaign_calls (
  app INTEGER NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL, campaign TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (app, key)
) WITHOUT ROWID;
CREATE TABLE campaign_versions (
  app INTEGER NOT NULL, campaign TEXT NOT NULL, version INTEGER NOT NULL, document TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (app, campaign, version)
) WITHOUT ROWID;
CREATE TABLE campaigns (
  app INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, labels TEXT,
  search TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL,
  document TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, approval TEXT,
  PRIMARY KEY (app, id)
) WITHOUT ROWID;
CREATE INDEX campaigns_by_time ON campaigns(app, created_at, id);
CREATE TABLE changes (
  app INTEGER NOT NULL,
  sequence INTEGER NOT NULL, device INTEGER NOT NULL,
  PRIMARY KEY (app, sequence)
) WITHOUT ROWID;
CREATE TABLE channels (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
  storage TEXT NOT NULL, development INTEGER NOT NULL, created_at INTEGER NOT NULL,
  UNIQUE (app, id)
);
CREATE TABLE counters (
  app INTEGER NOT NULL,
  counter TEXT NOT NULL, time INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (app, counter, time)
) WITHOUT ROWID;
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
  secret_hash BLOB, open_hours BLOB, settings TEXT,
  UNIQUE (app, id)
);
CREATE UNIQUE INDEX devices_by_token ON devices(app, token) WHERE token IS NOT NULL;
CREATE INDEX devices_by_uninstalled ON devices(app, uninstalled_at, key)
  WHERE uninstalled_at IS NOT NULL;
CREATE INDEX devices_by_user ON devices(app, user_id) WHERE user_id IS NOT NULL;
CREATE TABLE ended_sessions (id BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE enrollments (
  app INTEGER NOT NULL, trigger_number INTEGER NOT NULL, person TEXT NOT NULL,
  round INTEGER NOT NULL, step INTEGER NOT NULL, due_at INTEGER, entered_at INTEGER NOT NULL,
  ended_at INTEGER, sent_at INTEGER, send INTEGER, outcome TEXT, data TEXT, message INTEGER,
  PRIMARY KEY (app, trigger_number, person, round)
) WITHOUT ROWID;
CREATE INDEX enrollments_by_due ON enrollments(app, trigger_number, due_at)
  WHERE due_at IS NOT NULL;
CREATE INDEX enrollments_by_end ON enrollments(app, ended_at) WHERE ended_at IS NOT NULL;
CREATE TABLE event_ids (
  app INTEGER NOT NULL, device INTEGER NOT NULL,
  id TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (app, device, id)
) WITHOUT ROWID;
CREATE INDEX event_ids_by_time ON event_ids(app, at);
CREATE TABLE holdouts (
  app INTEGER NOT NULL, percent INTEGER NOT NULL, salt TEXT NOT NULL, since INTEGER NOT NULL,
  PRIMARY KEY (app)
) WITHOUT ROWID;
CREATE TABLE identity_keys (
  app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
  pem TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER,
  PRIMARY KEY (app, id)
) WITHOUT ROWID;
CREATE TABLE import_parts (
  app INTEGER NOT NULL, import TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (app, import, part)
);
CREATE TABLE imports (
  app INTEGER NOT NULL, id TEXT NOT NULL, file_name TEXT NOT NULL, size INTEGER NOT NULL,
  parts INTEGER NOT NULL, state TEXT NOT NULL, settings TEXT NOT NULL, report TEXT,
  progress INTEGER NOT NULL, attempts INTEGER NOT NULL, problem TEXT, uploaded_by TEXT,
  created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, removed INTEGER NOT NULL,
  revision INTEGER NOT NULL, held_until INTEGER, stored_line INTEGER NOT NULL DEFAULT 0, left_without_token INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (app, id)
) WITHOUT ROWID;
CREATE INDEX imports_by_hold ON imports(held_until, id) WHERE held_until IS NOT NULL;
CREATE TABLE impressions (
  app INTEGER NOT NULL,
  message INTEGER NOT NULL,
  device INTEGER NOT NULL, kind INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (message, device, kind)
) WITHOUT ROWID;
CREATE TABLE kept_activities (
  app INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, document TEXT NOT NULL,
  version INTEGER NOT NULL, due_at INTEGER, created_at INTEGER NOT NULL,
  PRIMARY KEY (app, id)
) WITHOUT ROWID;
CREATE INDEX kept_activities_by_creation ON kept_activities(app, created_at);
CREATE INDEX kept_activities_by_due ON kept_activities(due_at) WHERE due_at IS NOT NULL;
CREATE TABLE keys (
  id TEXT PRIMARY KEY, app TEXT REFERENCES apps(id) ON DELETE CASCADE, role TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE, created_at INTEGER NOT NULL, allow TEXT NOT NULL,
  per_second INTEGER, expires_at INTEGER, development INTEGER NOT NULL
, name TEXT, class TEXT, used_at INTEGER, used_from TEXT) WITHOUT ROWID;
CREATE INDEX keys_by_app ON keys(app);
CREATE TABLE limits (
  app INTEGER NOT NULL, quiet TEXT, caps TEXT, approval INTEGER NOT NULL DEFAULT 0, every_send INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (app)
) WITHOUT ROWID;
CREATE TABLE message_devices (
  app INTEGER NOT NULL, device INTEGER NOT NULL,
  message INTEGER NOT NULL REFERENCES messages(number) ON DELETE CASCADE, user_id TEXT,
  PRIMARY KEY (app, device, message)
) WITHOUT ROWID;
CREATE INDEX message_devices_by_message ON message_devices(message);
CREATE TABLE message_shards (
  app INTEGER NOT NULL,
  message INTEGER NOT NULL REFERENCES messages(number) ON DELETE CASCADE,
  shard INTEGER NOT NULL, devices BLOB NOT NULL,
  PRIMARY KEY (message, shard)
) WITHOUT ROWID;
CREATE TABLE message_states (
  app INTEGER NOT NULL, owner TEXT NOT NULL,
  message INTEGER NOT NULL,
  hidden INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (app, owner, message)
) WITHOUT ROWID;
CREATE INDEX message_states_by_message ON message_states(message);
CREATE TABLE messages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL UNIQUE,
  audience TEXT NOT NULL, send TEXT, title TEXT NOT NULL, content TEXT NOT NULL,
  wide INTEGER NOT NULL, for_all INTEGER NOT NULL,
  created_at INTEGER NOT NULL, publish_at INTEGER NOT NULL, unpublish_at INTEGER NOT NULL,
  seen_0 INTEGER NOT NULL, seen_1 INTEGER NOT NULL, seen_2 INTEGER NOT NULL
, campaign TEXT, run TEXT, phase TEXT, variant TEXT, targeted INTEGER NOT NULL DEFAULT 0);
CREATE INDEX messages_by_app ON messages(app, number);
CREATE INDEX messages_by_end ON messages(unpublish_at);
CREATE INDEX messages_by_run ON messages(app, run) WHERE run IS NOT NULL;
CREATE INDEX messages_wide ON messages(app, unpublish_at) WHERE wide;
CREATE TABLE probes (bytes BLOB NOT NULL);
CREATE TABLE push_ledger (
  app INTEGER NOT NULL, page INTEGER NOT NULL, pushes BLOB NOT NULL, newest INTEGER NOT NULL,
  PRIMARY KEY (app, page)
) WITHOUT ROWID;
CREATE TABLE receipts (
  app INTEGER NOT NULL, send INTEGER NOT NULL, device INTEGER NOT NULL, id TEXT NOT NULL,
  event TEXT NOT NULL, at INTEGER NOT NULL, media TEXT, reason TEXT, milliseconds INTEGER, trace TEXT,
  PRIMARY KEY (send, device, id)
) WITHOUT ROWID;
CREATE TABLE recovery_codes (
  account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE, hash BLOB NOT NULL,
  PRIMARY KEY (account, hash)
) WITHOUT ROWID;
CREATE TABLE reload_tokens (
  app INTEGER NOT NULL, type TEXT NOT NULL, token TEXT NOT NULL, device INTEGER NOT NULL,
  kind TEXT, at INTEGER NOT NULL, counted INTEGER NOT NULL, counted_from INTEGER NOT NULL,
  PRIMARY KEY (app, type, token)
) WITHOUT ROWID;
CREATE INDEX reload_tokens_by_device ON reload_tokens(app, device);
CREATE TABLE run_devices (
  app INTEGER NOT NULL, run TEXT NOT NULL, kind TEXT NOT NULL, devices BLOB NOT NULL,
  PRIMARY KEY (app, run, kind)
) WITHOUT ROWID;
CREATE TABLE runs (
  app INTEGER NOT NULL, id TEXT NOT NULL, campaign TEXT NOT NULL, number INTEGER NOT NULL,
  version INTEGER NOT NULL, state TEXT NOT NULL, planned_at INTEGER NOT NULL, due_at INTEGER,
  waits INTEGER NOT NULL, started_at INTEGER, settled_at INTEGER, reason TEXT, report TEXT NOT NULL,
  PRIMARY KEY (app, id), UNIQUE (app, campaign, number)
) WITHOUT ROWID;
CREATE INDEX runs_by_due ON runs(due_at, app) WHERE waits;
CREATE INDEX runs_by_state ON runs(app, state, planned_at);
CREATE TABLE secret (number INTEGER PRIMARY KEY CHECK (number = 1), mark BLOB NOT NULL);
CREATE TABLE segments (
  number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL,
  send INTEGER NOT NULL,
  devices BLOB NOT NULL, taken INTEGER NOT NULL, due_at INTEGER,
  waits INTEGER NOT NULL
, quiet TEXT, transactional INTEGER NOT NULL DEFAULT 0);
CREATE INDEX segments_by_due ON segments(due_at, number, app) WHERE waits;
CREATE INDEX segments_by_send ON segments(send);
CREATE INDEX segments_of_campaigns ON segments(due_at, number, app) WHERE waits AND NOT transactional;
CREATE INDEX segments_transactional ON segments(due_at, number, app) WHERE waits AND transactional;
CREATE TABLE send_data (
  app INTEGER NOT NULL, send INTEGER NOT NULL, device INTEGER NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (app, send, device)
) WITHOUT ROWID;
CREATE INDEX send_data_by_device ON send_data(app, device);
CREATE TABLE send_hours (
  app INTEGER NOT NULL, send INTEGER NOT NULL,
  time INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (send, app, time, kind, name)
) WITHOUT ROWID;
CREATE TABLE send_terms (
  app INTEGER NOT NULL, term TEXT NOT NULL, send INTEGER NOT NULL,
  PRIMARY KEY (app, term, send)
) WITHOUT ROWID;
CREATE INDEX send_terms_by_send ON send_terms(send);
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
, quiet INTEGER NOT NULL DEFAULT 0, capped INTEGER NOT NULL DEFAULT 0, capping INTEGER NOT NULL DEFAULT 0, class TEXT, quiet_hours TEXT, emptied INTEGER NOT NULL DEFAULT 0);
CREATE INDEX sends_by_activity ON sends(app, activity, number) WHERE activity IS NOT NULL;
CREATE INDEX sends_by_app ON sends(app, number);
CREATE INDEX sends_by_end ON sends(ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX sends_by_group ON sends(app, group_name, created_at) WHERE group_name IS NOT NULL;
CREATE UNIQUE INDEX sends_by_idempotency_key ON sends(app, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX sends_by_run ON sends(app, run) WHERE run IS NOT NULL;
CREATE INDEX sends_by_schedule ON sends(app, scheduled_at, number)
  WHERE scheduled_at IS NOT NULL;
CREATE INDEX sends_by_state ON sends(app, state, number) WHERE activity IS NULL;
CREATE INDEX sends_listed ON sends(app, number) WHERE activity IS NULL;
CREATE INDEX sends_to_empty ON sends(completed_at) WHERE completed_at IS NOT NULL AND NOT emptied;
CREATE TABLE tallies (
  app INTEGER NOT NULL, send INTEGER NOT NULL,
  kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (send, app, kind, name)
) WITHOUT ROWID;
CREATE TABLE template_versions (
  app INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, payload TEXT NOT NULL,
  saved_at INTEGER NOT NULL, saved_by TEXT,
  PRIMARY KEY (app, name, version)
) WITHOUT ROWID;
CREATE TABLE templates (
  app INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, payload TEXT NOT NULL,
  saved_at INTEGER NOT NULL, saved_by TEXT, listed INTEGER NOT NULL,
  PRIMARY KEY (app, name)
) WITHOUT ROWID;
CREATE TABLE test_budgets (
  actor TEXT PRIMARY KEY, hour INTEGER NOT NULL, devices INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE trigger_calls (
  app INTEGER NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL, enrolled INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (app, key)
) WITHOUT ROWID;
CREATE TABLE triggers (
  app INTEGER NOT NULL, number INTEGER NOT NULL, campaign TEXT NOT NULL, state TEXT NOT NULL,
  definition TEXT NOT NULL, leased_until INTEGER NOT NULL, look_at INTEGER, looks INTEGER NOT NULL,
  seen BLOB, removed TEXT NOT NULL,
  PRIMARY KEY (app, number), UNIQUE (app, campaign)
) WITHOUT ROWID;
CREATE TABLE upload_uses (
  app INTEGER NOT NULL, upload TEXT NOT NULL REFERENCES uploads(name) ON DELETE CASCADE,
  send INTEGER REFERENCES sends(number) ON DELETE CASCADE,
  message INTEGER REFERENCES messages(number) ON DELETE CASCADE
);
CREATE INDEX upload_uses_by_message ON upload_uses(message);
CREATE INDEX upload_uses_by_send ON upload_uses(send);
CREATE INDEX upload_uses_by_upload ON upload_uses(upload);
CREATE TABLE uploads (
  app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, name TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL, size INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX uploads_by_app ON uploads(app);
CREATE TABLE webhook_calls (
  number INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL,
  webhook TEXT NOT NULL,
  event TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL, owner TEXT, lease INTEGER NOT NULL, attempts INTEGER NOT NULL
, failure TEXT);
CREATE INDEX webhook_calls_by_due ON webhook_calls(due_at, number, app);
CREATE INDEX webhook_calls_by_webhook ON webhook_calls(app, webhook, due_at);
CREATE INDEX webhook_calls_leased ON webhook_calls(app, webhook, due_at) WHERE owner IS NOT NULL;
CREATE TABLE webhooks (
  app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT PRIMARY KEY,
  url TEXT NOT NULL, events TEXT NOT NULL, sealed_secret BLOB NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX webhooks_by_app ON webhooks(app);
