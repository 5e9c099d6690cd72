-- The tables and indexes that all steps of the schema make together. It is written by
-- RECORD_DOCS=1 scripts/test SchemaFileTests

CREATE TABLE account_identities (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  FOREIGN KEY (account) REFERENCES accounts(id) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
);
CREATE TABLE account_links (
  hash bytea NOT NULL,
  account text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  maker text COLLATE "C",
  scope text COLLATE "C",
  FOREIGN KEY (account) REFERENCES accounts(id) ON DELETE CASCADE,
  PRIMARY KEY (hash)
);
CREATE TABLE account_passkeys (
  id bytea NOT NULL,
  account text COLLATE "C" NOT NULL,
  public_key bytea NOT NULL,
  signature_count bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint,
  FOREIGN KEY (account) REFERENCES accounts(id) ON DELETE CASCADE,
  PRIMARY KEY (id)
);
CREATE TABLE account_roles (
  account text COLLATE "C" NOT NULL,
  app text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  FOREIGN KEY (account) REFERENCES accounts(id) ON DELETE CASCADE,
  PRIMARY KEY (account, app)
);
CREATE TABLE account_sessions (
  hash bytea NOT NULL,
  account text COLLATE "C" NOT NULL,
  confirmed boolean NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  FOREIGN KEY (account) REFERENCES accounts(id) ON DELETE CASCADE,
  PRIMARY KEY (hash)
);
CREATE TABLE accounts (
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  password text COLLATE "C",
  second_factor bytea,
  last_step bigint NOT NULL,
  created_at bigint NOT NULL,
  codes_spent_until bigint NOT NULL DEFAULT 0,
  maker text COLLATE "C",
  scope text COLLATE "C",
  PRIMARY KEY (id),
  UNIQUE (email)
);
CREATE TABLE active_devices (
  app bigint NOT NULL,
  device bigint NOT NULL,
  day bigint NOT NULL,
  PRIMARY KEY (app, device, day)
);
CREATE TABLE activities (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C",
  event text COLLATE "C" NOT NULL,
  timestamp bigint NOT NULL,
  removed bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (app, id)
);
CREATE TABLE activity_expenses (
  app bigint NOT NULL,
  device bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (app, device, kind, at)
);
CREATE TABLE activity_tokens (
  app bigint NOT NULL,
  subject text COLLATE "C" NOT NULL,
  device bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  expires_at bigint,
  PRIMARY KEY (app, subject, device)
);
CREATE TABLE apps (
  number bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  bundle_id text NOT NULL,
  team_id text NOT NULL,
  key_id text NOT NULL,
  sealed_key bytea NOT NULL,
  created_at bigint NOT NULL,
  throttle bigint,
  identity text COLLATE "C" NOT NULL,
  triggers bigint NOT NULL DEFAULT 0,
  icon text COLLATE "C",
  class text COLLATE "C",
  PRIMARY KEY (number),
  UNIQUE (id)
);
CREATE TABLE attributions (
  app bigint NOT NULL,
  device bigint NOT NULL,
  send bigint NOT NULL,
  received_at bigint NOT NULL,
  opened_at bigint,
  direct boolean NOT NULL,
  PRIMARY KEY (app, device)
);
CREATE TABLE audiences (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  test boolean NOT NULL,
  filters text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (app, id)
);
CREATE TABLE audit (
  number bigint NOT NULL GENERATED AS IDENTITY,
  app text COLLATE "C",
  key text COLLATE "C",
  action text COLLATE "C" NOT NULL,
  object text COLLATE "C",
  address text COLLATE "C",
  at bigint NOT NULL,
  account text COLLATE "C",
  name text COLLATE "C",
  PRIMARY KEY (number)
);
CREATE TABLE batches (
  app bigint NOT NULL,
  number bigint NOT NULL GENERATED AS IDENTITY,
  send bigint NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  devices bytea NOT NULL,
  outcomes bytea,
  retries bytea,
  due_at bigint,
  waits boolean NOT NULL,
  owner text COLLATE "C",
  lease bigint NOT NULL,
  fruitless bigint NOT NULL,
  quiet text COLLATE "C",
  transactional boolean NOT NULL DEFAULT false,
  PRIMARY KEY (app, number)
);
CREATE TABLE campaign_calls (
  app bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (app, key)
);
CREATE TABLE campaign_versions (
  app bigint NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  document text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (app, campaign, version)
);
CREATE TABLE campaigns (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  labels text COLLATE "C",
  search text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  document text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  approval text COLLATE "C",
  PRIMARY KEY (app, id)
);
CREATE TABLE changes (
  app bigint NOT NULL,
  sequence bigint NOT NULL,
  device bigint NOT NULL,
  PRIMARY KEY (app, sequence)
);
CREATE TABLE channels (
  app bigint NOT NULL,
  number bigint NOT NULL GENERATED AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  storage text COLLATE "C" NOT NULL,
  development boolean NOT NULL,
  created_at bigint NOT NULL,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (app, number),
  UNIQUE (app, id)
);
CREATE TABLE counters (
  app bigint NOT NULL,
  counter text COLLATE "C" NOT NULL,
  time bigint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (app, counter, "time")
);
CREATE TABLE devices (
  app bigint NOT NULL,
  key bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  token text COLLATE "C",
  platform text COLLATE "C" NOT NULL,
  development boolean NOT NULL,
  push_enabled boolean NOT NULL,
  uninstalled_at bigint,
  user_id text COLLATE "C",
  user_email text COLLATE "C",
  tags jsonb NOT NULL,
  attributes jsonb NOT NULL,
  events jsonb NOT NULL,
  locale text COLLATE "C",
  time_zone text COLLATE "C",
  app_version text COLLATE "C",
  os_version text COLLATE "C",
  sdk_version text COLLATE "C",
  latitude double precision,
  longitude double precision,
  country text COLLATE "C",
  city text COLLATE "C",
  public_key text COLLATE "C",
  auth_secret text COLLATE "C",
  badge bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  token_at bigint,
  last_opened_at bigint,
  erased_at bigint,
  push_quiet boolean NOT NULL,
  secret_hash bytea,
  open_hours bytea,
  settings text COLLATE "C",
  PRIMARY KEY (app, key),
  UNIQUE (app, id)
);
CREATE TABLE ended_sessions (
  id bytea NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE enrollments (
  app bigint NOT NULL,
  entered_at bigint NOT NULL,
  due_at bigint,
  ended_at bigint,
  sent_at bigint,
  send bigint,
  trigger_number integer NOT NULL,
  round integer NOT NULL,
  step smallint NOT NULL,
  person text COLLATE "C" NOT NULL,
  outcome text COLLATE "C",
  data text COLLATE "C",
  message bigint,
  PRIMARY KEY (app, trigger_number, person, round)
);
CREATE TABLE event_ids (
  app bigint NOT NULL,
  device bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (app, device, id)
);
CREATE TABLE holdouts (
  app bigint NOT NULL,
  percent bigint NOT NULL,
  salt text COLLATE "C" NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (app)
);
CREATE TABLE identity_keys (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  pem text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (app, id)
);
CREATE TABLE import_parts (
  app bigint NOT NULL,
  import text COLLATE "C" NOT NULL,
  part bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (app, import, part)
);
CREATE TABLE imports (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  file_name text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  parts bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  settings text COLLATE "C" NOT NULL,
  report text COLLATE "C",
  progress bigint NOT NULL,
  attempts bigint NOT NULL,
  problem text COLLATE "C",
  uploaded_by text COLLATE "C",
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  removed boolean NOT NULL,
  revision bigint NOT NULL,
  held_until bigint,
  stored_line bigint NOT NULL DEFAULT 0,
  left_without_token bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (app, id)
);
CREATE TABLE impressions (
  app bigint NOT NULL,
  device bigint NOT NULL,
  message bigint NOT NULL,
  kind bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (app, device, message, kind)
);
CREATE TABLE kept_activities (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  document text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  due_at bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (app, id)
);
CREATE TABLE keys (
  id text COLLATE "C" NOT NULL,
  app text COLLATE "C",
  role text NOT NULL,
  hash bytea NOT NULL,
  created_at bigint NOT NULL,
  allow text NOT NULL,
  per_second bigint,
  expires_at bigint,
  development boolean NOT NULL,
  name text COLLATE "C",
  class text COLLATE "C",
  used_at bigint,
  used_from text COLLATE "C",
  FOREIGN KEY (app) REFERENCES apps(id) ON DELETE CASCADE,
  PRIMARY KEY (id),
  UNIQUE (hash)
);
CREATE TABLE limits (
  app bigint NOT NULL,
  quiet text COLLATE "C",
  caps text COLLATE "C",
  approval boolean NOT NULL DEFAULT false,
  every_send boolean NOT NULL DEFAULT false,
  PRIMARY KEY (app)
);
CREATE TABLE martlet_schema (
  version bigint NOT NULL,
  oldest_user bigint NOT NULL
);
CREATE TABLE message_devices (
  app bigint NOT NULL,
  device bigint NOT NULL,
  message bigint NOT NULL,
  user_id text COLLATE "C",
  FOREIGN KEY (app, message) REFERENCES messages(app, number) ON DELETE CASCADE,
  PRIMARY KEY (app, device, message)
);
CREATE TABLE message_shards (
  app bigint NOT NULL,
  message bigint NOT NULL,
  shard bigint NOT NULL,
  devices bytea NOT NULL,
  FOREIGN KEY (app, message) REFERENCES messages(app, number) ON DELETE CASCADE,
  PRIMARY KEY (app, message, shard)
);
CREATE TABLE message_states (
  app bigint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  message bigint NOT NULL,
  hidden boolean NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (app, owner, message)
);
CREATE TABLE messages (
  app bigint NOT NULL,
  number bigint NOT NULL GENERATED AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  audience text COLLATE "C" NOT NULL,
  send text COLLATE "C",
  title text COLLATE "C" NOT NULL,
  content text COLLATE "C" NOT NULL,
  wide boolean NOT NULL,
  for_all boolean NOT NULL,
  created_at bigint NOT NULL,
  publish_at bigint NOT NULL,
  unpublish_at bigint NOT NULL,
  seen_0 bigint NOT NULL,
  seen_1 bigint NOT NULL,
  seen_2 bigint NOT NULL,
  campaign text COLLATE "C",
  run text COLLATE "C",
  phase text COLLATE "C",
  variant text COLLATE "C",
  targeted bigint NOT NULL DEFAULT 0,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (app, number),
  UNIQUE (app, id)
);
CREATE TABLE probes (
  bytes bytea NOT NULL
);
CREATE TABLE push_ledger (
  app bigint NOT NULL,
  page bigint NOT NULL,
  pushes bytea NOT NULL,
  newest bigint NOT NULL,
  PRIMARY KEY (app, page)
);
CREATE TABLE receipts (
  app bigint NOT NULL,
  send bigint NOT NULL,
  device bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  media text COLLATE "C",
  reason text COLLATE "C",
  milliseconds bigint,
  trace text COLLATE "C",
  PRIMARY KEY (app, send, device, id)
);
CREATE TABLE recovery_codes (
  account text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  FOREIGN KEY (account) REFERENCES accounts(id) ON DELETE CASCADE,
  PRIMARY KEY (account, hash)
);
CREATE TABLE reload_tokens (
  app bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  device bigint NOT NULL,
  kind text COLLATE "C",
  at bigint NOT NULL,
  counted bigint NOT NULL,
  counted_from bigint NOT NULL,
  PRIMARY KEY (app, type, token)
);
CREATE TABLE run_devices (
  app bigint NOT NULL,
  run text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  devices bytea NOT NULL,
  PRIMARY KEY (app, run, kind)
);
CREATE TABLE runs (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  version bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  planned_at bigint NOT NULL,
  due_at bigint,
  waits boolean NOT NULL,
  started_at bigint,
  settled_at bigint,
  reason text COLLATE "C",
  report text COLLATE "C" NOT NULL,
  PRIMARY KEY (app, id),
  UNIQUE (app, campaign, number)
);
CREATE TABLE secret (
  number bigint NOT NULL,
  mark bytea NOT NULL,
  CHECK ((number = 1)),
  PRIMARY KEY (number)
);
CREATE TABLE segments (
  app bigint NOT NULL,
  number bigint NOT NULL GENERATED AS IDENTITY,
  send bigint NOT NULL,
  devices bytea NOT NULL,
  taken bigint NOT NULL,
  due_at bigint,
  waits boolean NOT NULL,
  quiet text COLLATE "C",
  transactional boolean NOT NULL DEFAULT false,
  PRIMARY KEY (app, number)
);
CREATE TABLE send_data (
  app bigint NOT NULL,
  send bigint NOT NULL,
  device bigint NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (app, send, device)
);
CREATE TABLE send_hours (
  app bigint NOT NULL,
  send bigint NOT NULL,
  time bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (app, send, "time", kind, name)
);
CREATE TABLE send_terms (
  app bigint NOT NULL,
  term text COLLATE "C" NOT NULL,
  send bigint NOT NULL,
  PRIMARY KEY (app, term, send)
);
CREATE TABLE sends (
  app bigint NOT NULL,
  number bigint NOT NULL GENERATED AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  audience text COLLATE "C" NOT NULL,
  payload text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  started_at bigint,
  completed_at bigint,
  targeted bigint NOT NULL,
  sent bigint NOT NULL,
  rejected bigint NOT NULL,
  uninstalled bigint NOT NULL,
  delivered bigint NOT NULL,
  displayed bigint NOT NULL,
  opened bigint NOT NULL,
  indirect bigint NOT NULL,
  scheduled_at bigint,
  local_time boolean NOT NULL,
  expires_at bigint,
  throttle bigint,
  idempotency_key text COLLATE "C",
  fingerprint bytea,
  group_name text COLLATE "C",
  failure text COLLATE "C",
  ends_at bigint,
  answered bigint NOT NULL,
  invalid bigint NOT NULL,
  suspicion bigint NOT NULL,
  activity text COLLATE "C",
  activity_push text COLLATE "C",
  trace text,
  name text COLLATE "C",
  labels text COLLATE "C",
  campaign text COLLATE "C",
  run text COLLATE "C",
  phase text COLLATE "C",
  variant text COLLATE "C",
  quiet bigint NOT NULL DEFAULT 0,
  capped bigint NOT NULL DEFAULT 0,
  capping bigint NOT NULL DEFAULT 0,
  class text COLLATE "C",
  quiet_hours text COLLATE "C",
  emptied boolean NOT NULL DEFAULT false,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (app, number),
  UNIQUE (app, id),
  UNIQUE (app, message_id)
);
CREATE TABLE tallies (
  app bigint NOT NULL,
  send bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (app, send, kind, name)
);
CREATE TABLE template_versions (
  app bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  payload text COLLATE "C" NOT NULL,
  saved_at bigint NOT NULL,
  saved_by text COLLATE "C",
  PRIMARY KEY (app, name, version)
);
CREATE TABLE templates (
  app bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  payload text COLLATE "C" NOT NULL,
  saved_at bigint NOT NULL,
  saved_by text COLLATE "C",
  listed boolean NOT NULL,
  PRIMARY KEY (app, name)
);
CREATE TABLE test_budgets (
  actor text COLLATE "C" NOT NULL,
  hour bigint NOT NULL,
  devices bigint NOT NULL,
  PRIMARY KEY (actor)
);
CREATE TABLE trigger_calls (
  app bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  enrolled bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (app, key)
);
CREATE TABLE triggers (
  app bigint NOT NULL,
  number bigint NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  definition text COLLATE "C" NOT NULL,
  leased_until bigint NOT NULL,
  look_at bigint,
  looks bigint NOT NULL,
  seen bytea,
  removed text COLLATE "C" NOT NULL,
  PRIMARY KEY (app, number),
  UNIQUE (app, campaign)
);
CREATE TABLE upload_pieces (
  upload text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  bytes bytea NOT NULL,
  FOREIGN KEY (upload) REFERENCES uploads(name) ON DELETE CASCADE,
  PRIMARY KEY (upload, number)
);
CREATE TABLE upload_uses (
  app bigint NOT NULL,
  upload text COLLATE "C" NOT NULL,
  number bigint NOT NULL GENERATED AS IDENTITY,
  send bigint,
  message bigint,
  FOREIGN KEY (app, message) REFERENCES messages(app, number) ON DELETE CASCADE,
  FOREIGN KEY (app, send) REFERENCES sends(app, number) ON DELETE CASCADE,
  FOREIGN KEY (app, upload) REFERENCES uploads(app, name) ON DELETE CASCADE,
  PRIMARY KEY (app, upload, number)
);
CREATE TABLE uploads (
  app bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  size bigint NOT NULL,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (name),
  UNIQUE (app, name)
);
CREATE TABLE webhook_calls (
  app bigint NOT NULL,
  number bigint NOT NULL GENERATED AS IDENTITY,
  webhook text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  due_at bigint NOT NULL,
  owner text COLLATE "C",
  lease bigint NOT NULL,
  attempts bigint NOT NULL,
  failure text COLLATE "C",
  PRIMARY KEY (app, number)
);
CREATE TABLE webhooks (
  app bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  events text COLLATE "C" NOT NULL,
  sealed_secret bytea NOT NULL,
  created_at bigint NOT NULL,
  FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE,
  PRIMARY KEY (app, id)
);
CREATE INDEX account_links_by_account ON public.account_links USING btree (account);
CREATE INDEX account_passkeys_by_account ON public.account_passkeys USING btree (account);
CREATE INDEX account_roles_by_app ON public.account_roles USING btree (app);
CREATE INDEX account_sessions_by_account ON public.account_sessions USING btree (account);
CREATE INDEX account_sessions_by_end ON public.account_sessions USING btree (expires_at);
CREATE INDEX active_devices_by_day ON public.active_devices USING btree (app, day);
CREATE INDEX activities_by_time ON public.activities USING btree (app, updated_at);
CREATE INDEX activity_expenses_by_time ON public.activity_expenses USING btree (app, at);
CREATE INDEX activity_tokens_by_device ON public.activity_tokens USING btree (app, device, at);
CREATE INDEX activity_tokens_by_end ON public.activity_tokens USING btree (app, expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX activity_tokens_by_token ON public.activity_tokens USING btree (app, token);
CREATE INDEX audiences_by_app ON public.audiences USING btree (app, created_at, id) WHERE (name IS NOT NULL);
CREATE INDEX audit_by_app ON public.audit USING btree (app, number);
CREATE INDEX audit_by_object ON public.audit USING btree (object, number) WHERE (object IS NOT NULL);
CREATE INDEX batches_by_device ON public.batches USING btree (app, send, first);
CREATE INDEX batches_by_due ON public.batches USING btree (due_at, number, app) WHERE waits;
CREATE INDEX batches_of_campaigns ON public.batches USING btree (due_at, number, app) WHERE (waits AND (NOT transactional));
CREATE INDEX batches_open ON public.batches USING btree (app, send) WHERE (due_at IS NOT NULL);
CREATE INDEX batches_transactional ON public.batches USING btree (due_at, number, app) WHERE (waits AND transactional);
CREATE INDEX campaigns_by_time ON public.campaigns USING btree (app, created_at, id);
CREATE INDEX devices_by_uninstalled ON public.devices USING btree (app, uninstalled_at, key) WHERE (uninstalled_at IS NOT NULL);
CREATE INDEX devices_by_user ON public.devices USING btree (app, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX enrollments_by_due ON public.enrollments USING btree (app, trigger_number, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX enrollments_by_end ON public.enrollments USING btree (app, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX event_ids_by_time ON public.event_ids USING btree (app, at);
CREATE INDEX imports_by_hold ON public.imports USING btree (held_until, id) WHERE (held_until IS NOT NULL);
CREATE INDEX impressions_by_message ON public.impressions USING btree (app, message);
CREATE INDEX kept_activities_by_creation ON public.kept_activities USING btree (app, created_at);
CREATE INDEX kept_activities_by_due ON public.kept_activities USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX keys_by_app ON public.keys USING btree (app);
CREATE INDEX message_devices_by_message ON public.message_devices USING btree (app, message);
CREATE INDEX message_states_by_message ON public.message_states USING btree (app, message);
CREATE INDEX messages_by_end ON public.messages USING btree (unpublish_at);
CREATE INDEX messages_by_run ON public.messages USING btree (app, run) WHERE (run IS NOT NULL);
CREATE INDEX messages_wide ON public.messages USING btree (app, unpublish_at) WHERE wide;
CREATE INDEX reload_tokens_by_device ON public.reload_tokens USING btree (app, device);
CREATE INDEX runs_by_due ON public.runs USING btree (due_at, app) WHERE waits;
CREATE INDEX runs_by_state ON public.runs USING btree (app, state, planned_at);
CREATE INDEX segments_by_due ON public.segments USING btree (due_at, number, app) WHERE waits;
CREATE INDEX segments_by_send ON public.segments USING btree (app, send);
CREATE INDEX segments_of_campaigns ON public.segments USING btree (due_at, number, app) WHERE (waits AND (NOT transactional));
CREATE INDEX segments_transactional ON public.segments USING btree (due_at, number, app) WHERE (waits AND transactional);
CREATE INDEX send_data_by_device ON public.send_data USING btree (app, device);
CREATE INDEX send_terms_by_send ON public.send_terms USING btree (app, send);
CREATE INDEX sends_by_activity ON public.sends USING btree (app, activity, number) WHERE (activity IS NOT NULL);
CREATE INDEX sends_by_end ON public.sends USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX sends_by_group ON public.sends USING btree (app, group_name, created_at) WHERE (group_name IS NOT NULL);
CREATE INDEX sends_by_run ON public.sends USING btree (app, run) WHERE (run IS NOT NULL);
CREATE INDEX sends_by_schedule ON public.sends USING btree (app, scheduled_at, number) WHERE (scheduled_at IS NOT NULL);
CREATE INDEX sends_by_state ON public.sends USING btree (app, state, number) WHERE (activity IS NULL);
CREATE INDEX sends_listed ON public.sends USING btree (app, number) WHERE (activity IS NULL);
CREATE INDEX sends_to_empty ON public.sends USING btree (completed_at) WHERE ((completed_at IS NOT NULL) AND (NOT emptied));
CREATE INDEX upload_uses_by_message ON public.upload_uses USING btree (app, message);
CREATE INDEX upload_uses_by_send ON public.upload_uses USING btree (app, send);
CREATE INDEX webhook_calls_by_due ON public.webhook_calls USING btree (due_at, number, app);
CREATE INDEX webhook_calls_by_webhook ON public.webhook_calls USING btree (app, webhook, due_at);
CREATE INDEX webhook_calls_leased ON public.webhook_calls USING btree (app, webhook, due_at) WHERE (owner IS NOT NULL);
CREATE UNIQUE INDEX account_identities_by_account ON public.account_identities USING btree (account, issuer);
CREATE UNIQUE INDEX devices_by_token ON public.devices USING btree (app, token) WHERE (token IS NOT NULL);
CREATE UNIQUE INDEX sends_by_idempotency_key ON public.sends USING btree (app, idempotency_key) WHERE (idempotency_key IS NOT NULL);
