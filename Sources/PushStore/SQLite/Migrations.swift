import _SQLite

/// The schema, as the steps that made it; one that was released is never edited.
enum Migrations {
  /// "MRTL": tells our file from another SQLite file.
  static let applicationID: Int64 = 0x4D52_544C

  /// One step: statements, and then what statements cannot say.
  struct Step: Sendable {
    var sql: String
    var then: @Sendable (SQLiteConnection) throws -> Void = { _ in }
  }

  static let steps = [
    Step(sql: first), Step(sql: sealedKeys), Step(sql: wholeAPI, then: Repacking.run),
    Step(sql: hours), Step(sql: attribution), Step(sql: quiet),
    Step(sql: receiptsByDevice),
    Step(sql: uploads), Step(sql: "ALTER TABLE apps ADD COLUMN throttle INTEGER"),
    Step(sql: suspicion), Step(sql: division),
  ]

  private static let first =
    """
    CREATE TABLE apps (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, bundle_id TEXT NOT NULL, team_id TEXT NOT NULL,
      key_id TEXT NOT NULL, private_key TEXT NOT NULL, created_at INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE keys (
      id TEXT PRIMARY KEY, app TEXT REFERENCES apps(id) ON DELETE CASCADE, role TEXT NOT NULL,
      hash BLOB NOT NULL UNIQUE, created_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX keys_by_app ON keys(app);

    -- One row a device; tags are a JSON array, attributes {"name": {"type": …, "value": …}}.
    CREATE TABLE devices (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE, id TEXT NOT NULL,
      user_id TEXT, user_email TEXT, token TEXT, platform TEXT NOT NULL,
      development INTEGER NOT NULL, push_enabled INTEGER NOT NULL,
      tags TEXT NOT NULL, attributes TEXT NOT NULL,
      locale TEXT, time_zone TEXT, app_version TEXT, os_version TEXT,
      public_key TEXT, auth_secret TEXT, badge INTEGER,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      token_at INTEGER, uninstalled_at INTEGER,
      UNIQUE (app, id)
    );
    CREATE UNIQUE INDEX devices_by_token ON devices(app, token) WHERE token IS NOT NULL;
    -- Holds the rows of an app in the table's order, which makes walking them seven times faster.
    CREATE INDEX devices_by_app ON devices(app);
    CREATE INDEX devices_by_user ON devices(app, user_id) WHERE user_id IS NOT NULL;

    CREATE TABLE audiences (
      id TEXT PRIMARY KEY, app TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
      filters TEXT NOT NULL, created_at INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE sends (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE, message_id TEXT NOT NULL UNIQUE,
      app TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE, audience TEXT NOT NULL,
      payload TEXT NOT NULL, state TEXT NOT NULL,
      created_at INTEGER NOT NULL, started_at INTEGER, completed_at INTEGER,
      targeted INTEGER NOT NULL, sent INTEGER NOT NULL, rejected INTEGER NOT NULL,
      uninstalled INTEGER NOT NULL
    );
    CREATE INDEX sends_by_app ON sends(app, number);

    -- A queue row is a chunk of device numbers (a JSON array), due at `due_at`; a lease moves that
    -- into the future, so a lapsed lease and a planned retry are the same thing.
    CREATE TABLE batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      devices TEXT NOT NULL, due_at INTEGER NOT NULL, owner TEXT,
      lease INTEGER NOT NULL, fruitless INTEGER NOT NULL
    );
    CREATE INDEX batches_by_due ON batches(due_at, id);
    CREATE INDEX batches_by_send ON batches(send);

    CREATE TABLE outcomes (
      send INTEGER NOT NULL REFERENCES sends(number) ON DELETE CASCADE,
      device INTEGER NOT NULL, result TEXT NOT NULL, status INTEGER, reason TEXT,
      apns_id TEXT NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (send, device)
    ) WITHOUT ROWID;
    """

  /// The text of the p8 file becomes bytes, which the server seals when it next starts.
  private static let sealedKeys =
    """
    ALTER TABLE apps RENAME COLUMN private_key TO sealed_key;
    UPDATE apps SET sealed_key = CAST(sealed_key AS BLOB);
    ALTER TABLE keys ADD COLUMN allow TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE keys ADD COLUMN per_second INTEGER;
    """

  /// Brings a database to the newest version, each step in a transaction of its own.
  ///
  /// - Throws: ``StoreError/Code/newerVersion`` where a newer martlet has written it.
  static func run(
    on connection: SQLiteConnection, path: String, steps: [Step] = steps
  ) throws {
    guard try version(of: connection, path: path, newest: steps.count) < steps.count else { return }
    try connection.execute("BEGIN EXCLUSIVE")
    do {
      // Another process may have been faster.
      let version = try version(of: connection, path: path, newest: steps.count)
      for step in steps.dropFirst(version) {
        try connection.execute(step.sql)
        try step.then(connection)
      }
      try connection.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count); COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  static func areDone(on connection: SQLiteConnection, path: String) throws -> Bool {
    try version(of: connection, path: path, newest: steps.count) == steps.count
  }

  private static func version(
    of connection: SQLiteConnection, path: String, newest: Int
  ) throws -> Int {
    let version = try connection.row("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
    let owner = try connection.row("PRAGMA application_id") { $0.integer(0) } ?? 0
    let tables = try connection.row("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
    guard owner == applicationID || (version == 0 && owner == 0 && tables == 0) else {
      throw StoreError(
        .cannotOpen, "\(path) is the database of another program; name another file")
    }
    guard version <= newest else {
      throw StoreError(
        .newerVersion,
        "the database \(path) is of version \(version) and this martlet knows up to \(newest);"
          + " run the newer martlet, or restore a backup made before the upgrade")
    }
    return version
  }
}
