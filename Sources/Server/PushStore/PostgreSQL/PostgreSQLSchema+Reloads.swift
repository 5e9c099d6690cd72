extension PostgreSQLSchema {
  /// The push tokens of widgets and controls: version 127.
  ///
  /// A program without it does not remove the tokens of a device that is erased or has removed the app.
  static let reloads = """
    -- The type is `widgets` or `controls`, the kind that of a control. `counted` is the number of
    -- pushes since `counted_from`, for the budget of a day.
    CREATE TABLE reload_tokens (
      app BIGINT NOT NULL, type TEXT COLLATE "C" NOT NULL, token TEXT COLLATE "C" NOT NULL,
      device BIGINT NOT NULL, kind TEXT COLLATE "C", at BIGINT NOT NULL, counted BIGINT NOT NULL,
      counted_from BIGINT NOT NULL,
      PRIMARY KEY (app, type, token)
    );
    CREATE INDEX reload_tokens_by_device ON reload_tokens(app, device);
    """
}
