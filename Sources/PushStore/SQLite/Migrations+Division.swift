extension Migrations {
  /// Each row names its app by the app's number, as every statement does; on one machine the keys stay
  /// as they are, but for those that a statement names.
  static let division = renumbering + owning + keys

  /// The text of an app's id becomes its number.
  private static let renumbering =
    "DROP INDEX webhooks_by_app; DROP INDEX uploads_by_app; DROP INDEX messages_by_app;\n"
    + "DROP INDEX sends_by_app; DROP INDEX sends_by_idempotency_key; DROP INDEX sends_by_group;\n"
    + ["sends", "messages", "webhooks", "uploads"].map {
      """
      ALTER TABLE \($0) RENAME COLUMN app TO app_id;
      ALTER TABLE \($0) ADD COLUMN app INTEGER REFERENCES apps(number) ON DELETE CASCADE;
      UPDATE \($0) SET app = (SELECT number FROM apps WHERE apps.id = app_id);
      ALTER TABLE \($0) DROP COLUMN app_id;

      """
    }.joined() + """
      CREATE INDEX webhooks_by_app ON webhooks(app);
      CREATE INDEX uploads_by_app ON uploads(app);
      CREATE INDEX messages_by_app ON messages(app, number);
      CREATE INDEX sends_by_app ON sends(app, number);
      CREATE UNIQUE INDEX sends_by_idempotency_key ON sends(app, idempotency_key)
        WHERE idempotency_key IS NOT NULL;
      CREATE INDEX sends_by_group ON sends(app, group_name, created_at)
        WHERE group_name IS NOT NULL;

      """

  /// Rows that were an app's because of what they belong to say so themselves.
  private static let owning = [
    ("segments", "sends WHERE number = send"), ("batches", "sends WHERE number = send"),
    ("impressions", "messages WHERE number = message"),
    ("webhook_calls", "webhooks WHERE webhooks.id = webhook"),
    ("upload_uses", "uploads WHERE name = upload"),
  ].map { table, owner in
    """
    ALTER TABLE \(table) ADD COLUMN app INTEGER NOT NULL DEFAULT 0;
    UPDATE \(table) SET app = (SELECT app FROM \(owner));

    """
  }.joined()

  private static let keys = """
    -- What is due is looked for in all apps, and taken in one.
    ALTER TABLE segments RENAME COLUMN id TO number;
    ALTER TABLE batches RENAME COLUMN id TO number;
    ALTER TABLE webhook_calls RENAME COLUMN id TO number;
    DROP INDEX segments_by_due;
    CREATE INDEX segments_by_due ON segments(due_at, number, app) WHERE waits;
    DROP INDEX batches_by_due;
    CREATE INDEX batches_by_due ON batches(due_at, number, app) WHERE waits;
    DROP INDEX webhook_calls_by_due;
    CREATE INDEX webhook_calls_by_due ON webhook_calls(due_at, number, app);
    DROP INDEX attributions_by_time;
    CREATE INDEX attributions_by_time ON attributions(app, received_at);

    ALTER TABLE audiences RENAME TO old_audiences;
    DROP INDEX audiences_by_app;
    CREATE TABLE audiences (
      app INTEGER NOT NULL REFERENCES apps(number) ON DELETE CASCADE, id TEXT NOT NULL,
      name TEXT, test INTEGER NOT NULL, filters TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      PRIMARY KEY (app, id)
    ) WITHOUT ROWID;
    CREATE INDEX audiences_by_app ON audiences(app, created_at, id) WHERE name IS NOT NULL;
    INSERT INTO audiences (app, id, name, test, filters, created_at, updated_at)
      SELECT apps.number, old.id, old.name, test, filters, old.created_at, updated_at
      FROM old_audiences AS old JOIN apps ON apps.id = old.app;
    DROP TABLE old_audiences;

    -- The send comes first, for a send that is removed takes them with it.
    ALTER TABLE tallies RENAME TO old_tallies;
    CREATE TABLE tallies (
      app INTEGER NOT NULL, send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (send, app, kind, name)
    ) WITHOUT ROWID;
    INSERT INTO tallies (app, send, kind, name, count)
      SELECT app, send, kind, name, count FROM old_tallies JOIN sends ON number = send;
    DROP TABLE old_tallies;

    ALTER TABLE send_hours RENAME TO old_send_hours;
    CREATE TABLE send_hours (
      app INTEGER NOT NULL, send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      time INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (send, app, time, kind, name)
    ) WITHOUT ROWID;
    INSERT INTO send_hours (app, send, time, kind, name, count)
      SELECT app, send, time, kind, name, count FROM old_send_hours JOIN sends ON number = send;
    DROP TABLE old_send_hours;
    """
}
