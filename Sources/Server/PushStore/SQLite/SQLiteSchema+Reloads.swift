extension SQLiteSchema {
  /// The push tokens of widgets and controls: version 127.
  ///
  /// A program without it does not remove the tokens of a device that is erased or has removed the app.
  static let reloads = """
    -- The type is `widgets` or `controls`, the kind that of a control. `counted` is the number of
    -- pushes since `counted_from`, for the budget of a day.
    CREATE TABLE reload_tokens (
      app INTEGER NOT NULL, type TEXT NOT NULL, token TEXT NOT NULL, device INTEGER NOT NULL,
      kind TEXT, at INTEGER NOT NULL, counted INTEGER NOT NULL, counted_from INTEGER NOT NULL,
      PRIMARY KEY (app, type, token)
    ) WITHOUT ROWID;
    CREATE INDEX reload_tokens_by_device ON reload_tokens(app, device);
    """
}
