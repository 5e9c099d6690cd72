extension PostgreSQLSchema {
  /// The index of leased calls: version 130, as ``SQLiteSchema/webhookLeases``.
  static let webhookLeases = """
    CREATE INDEX webhook_calls_leased ON webhook_calls(app, webhook, due_at) WHERE owner IS NOT NULL;
    """
}
