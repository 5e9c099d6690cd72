extension Migrations {
  /// Which media were uploaded; the files are beside the database.
  static let uploads = """
    CREATE TABLE uploads (
      name TEXT PRIMARY KEY, app TEXT NOT NULL REFERENCES apps(id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX uploads_by_app ON uploads(app);
    -- What names an upload, and keeps it: a send or a message.
    CREATE TABLE upload_uses (
      upload TEXT NOT NULL REFERENCES uploads(name) ON DELETE CASCADE,
      send INTEGER REFERENCES sends(number) ON DELETE CASCADE,
      message INTEGER REFERENCES messages(number) ON DELETE CASCADE
    );
    CREATE INDEX upload_uses_by_upload ON upload_uses(upload);
    CREATE INDEX upload_uses_by_send ON upload_uses(send);
    CREATE INDEX upload_uses_by_message ON upload_uses(message);
    """
}
