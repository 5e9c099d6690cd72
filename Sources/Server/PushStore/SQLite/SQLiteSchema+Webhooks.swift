extension SQLiteSchema {
  /// The indexes by which the next call of a webhook is found: version 130.
  ///
  /// A webhook whose calls fail has many that are due later, so those that are leased have an index of their own.
  static let webhookLeases = """
    DROP INDEX webhook_calls_by_webhook;
    CREATE INDEX webhook_calls_by_webhook ON webhook_calls(app, webhook, due_at);
    CREATE INDEX webhook_calls_leased ON webhook_calls(app, webhook, due_at) WHERE owner IS NOT NULL;
    """
}
