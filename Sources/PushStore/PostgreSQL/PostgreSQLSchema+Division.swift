extension PostgreSQLSchema {
  /// Each row names its app by the app's number, and every key begins with it, so that tables can be
  /// divided by app; of a device's tables the device comes second.
  ///
  /// Nodes of an earlier version can neither register nor send anything from then on: what they ask
  /// for has other names.
  static let division = renumbering + owning + keys + references

  /// The text of an app's id becomes its number.
  private static let renumbering = ["audiences", "sends", "messages", "webhooks", "uploads"].map {
    """
    ALTER TABLE \($0) RENAME COLUMN app TO app_id;
    ALTER TABLE \($0) ADD COLUMN app BIGINT;
    UPDATE \($0) SET app = apps.number FROM apps WHERE apps.id = app_id;
    ALTER TABLE \($0) DROP COLUMN app_id;
    ALTER TABLE \($0) ADD FOREIGN KEY (app) REFERENCES apps(number) ON DELETE CASCADE;

    """
  }.joined()

  /// Rows that were an app's because of what they belong to say so themselves.
  private static let owning = [
    ("segments", "sends", "send = sends.number"), ("batches", "sends", "send = sends.number"),
    ("tallies", "sends", "send = sends.number"), ("send_hours", "sends", "send = sends.number"),
    ("impressions", "messages", "message = messages.number"),
    ("webhook_calls", "webhooks", "webhook = webhooks.id"),
    ("upload_uses", "uploads", "upload = uploads.name"),
  ].map { table, owner, belongs in
    """
    ALTER TABLE \(table) ADD COLUMN app BIGINT;
    UPDATE \(table) SET app = \(owner).app FROM \(owner) WHERE \(belongs);

    """
  }.joined()

  private static let keys = """
    ALTER TABLE devices DROP CONSTRAINT devices_pkey, ADD PRIMARY KEY (app, key);
    ALTER TABLE audiences DROP CONSTRAINT audiences_pkey, ADD PRIMARY KEY (app, id);
    CREATE INDEX audiences_by_app ON audiences(app, created_at, id) WHERE name IS NOT NULL;

    ALTER TABLE sends DROP CONSTRAINT sends_pkey CASCADE;
    ALTER TABLE sends DROP CONSTRAINT sends_id_key, DROP CONSTRAINT sends_message_id_key,
      ADD PRIMARY KEY (app, number), ADD UNIQUE (app, id), ADD UNIQUE (app, message_id);
    CREATE UNIQUE INDEX sends_by_idempotency_key ON sends(app, idempotency_key)
      WHERE idempotency_key IS NOT NULL;
    CREATE INDEX sends_by_group ON sends(app, group_name, created_at) WHERE group_name IS NOT NULL;

    -- What is due is looked for in all apps, and taken in one.
    ALTER TABLE segments RENAME COLUMN id TO number;
    ALTER TABLE segments DROP CONSTRAINT segments_pkey, ADD PRIMARY KEY (app, number);
    DROP INDEX segments_by_due, segments_by_send;
    CREATE INDEX segments_by_due ON segments(due_at, number, app) WHERE waits;
    CREATE INDEX segments_by_send ON segments(app, send);
    ALTER TABLE batches RENAME COLUMN id TO number;
    ALTER TABLE batches DROP CONSTRAINT batches_pkey, ADD PRIMARY KEY (app, number);
    DROP INDEX batches_by_due, batches_open, batches_by_device;
    CREATE INDEX batches_by_due ON batches(due_at, number, app) WHERE waits;
    CREATE INDEX batches_open ON batches(app, send) WHERE due_at IS NOT NULL;
    CREATE INDEX batches_by_device ON batches(app, send, first);

    ALTER TABLE messages DROP CONSTRAINT messages_pkey CASCADE;
    ALTER TABLE messages DROP CONSTRAINT messages_id_key,
      ADD PRIMARY KEY (app, number), ADD UNIQUE (app, id);
    ALTER TABLE impressions DROP CONSTRAINT impressions_pkey,
      ADD PRIMARY KEY (app, device, message, kind);
    CREATE INDEX impressions_by_message ON impressions(app, message);

    ALTER TABLE receipts DROP CONSTRAINT receipts_pkey, ADD PRIMARY KEY (app, device, id);
    DROP INDEX receipts_by_device;
    CREATE INDEX receipts_by_send ON receipts(app, send, device);
    ALTER TABLE tallies DROP CONSTRAINT tallies_pkey, ADD PRIMARY KEY (app, send, kind, name);
    ALTER TABLE send_hours DROP CONSTRAINT send_hours_pkey,
      ADD PRIMARY KEY (app, send, time, kind, name);
    DROP INDEX attributions_by_time;
    CREATE INDEX attributions_by_time ON attributions(app, received_at);
    ALTER TABLE active_devices DROP CONSTRAINT active_devices_pkey,
      ADD PRIMARY KEY (app, device, day);
    CREATE INDEX active_devices_by_day ON active_devices(app, day);

    ALTER TABLE webhooks DROP CONSTRAINT webhooks_pkey CASCADE;
    ALTER TABLE webhooks ADD PRIMARY KEY (app, id);
    ALTER TABLE webhook_calls RENAME COLUMN id TO number;
    ALTER TABLE webhook_calls DROP CONSTRAINT webhook_calls_pkey, ADD PRIMARY KEY (app, number);
    DROP INDEX webhook_calls_by_due, webhook_calls_by_webhook;
    CREATE INDEX webhook_calls_by_due ON webhook_calls(due_at, number, app);
    CREATE INDEX webhook_calls_by_webhook ON webhook_calls(app, webhook, due_at);

    -- The name stays the key, for who asks for the bytes knows no more.
    ALTER TABLE uploads ALTER COLUMN app SET NOT NULL, ADD UNIQUE (app, name);
    DROP INDEX upload_uses_by_upload, upload_uses_by_send, upload_uses_by_message;
    ALTER TABLE upload_uses DROP CONSTRAINT upload_uses_upload_fkey,
      ADD COLUMN number BIGINT GENERATED BY DEFAULT AS IDENTITY,
      ADD PRIMARY KEY (app, upload, number);
    CREATE INDEX upload_uses_by_send ON upload_uses(app, send);
    CREATE INDEX upload_uses_by_message ON upload_uses(app, message);

    """

  /// What pointed to a number points to an app's.
  private static let references = [
    ("segments", "send", "sends", "number"), ("batches", "send", "sends", "number"),
    ("tallies", "send", "sends", "number"), ("send_hours", "send", "sends", "number"),
    ("receipts", "send", "sends", "number"), ("attributions", "send", "sends", "number"),
    ("impressions", "message", "messages", "number"),
    ("webhook_calls", "webhook", "webhooks", "id"), ("upload_uses", "upload", "uploads", "name"),
    ("upload_uses", "send", "sends", "number"), ("upload_uses", "message", "messages", "number"),
  ].map { table, column, owner, key in
    """
    ALTER TABLE \(table) ADD FOREIGN KEY (app, \(column))
      REFERENCES \(owner)(app, \(key)) ON DELETE CASCADE;

    """
  }.joined()
}
