import PushStore

/// How many days `martlet serve` keeps what it no longer needs.
enum RetentionOptions {
  static let all = [
    option("--keep-outcomes", "what became of each device, after its send", Retention().outcomes),
    option("--keep-receipts", "single receipts; what they counted stays", Retention().receipts),
    option("--keep-messages", "messages, after they were last shown", Retention().messages),
    option("--keep-uploads", "uploads that no send or message names", Retention().uploads),
    option("--keep-audit", "the audit log", Retention().audit),
    option(
      "--keep-idempotency-keys", "what an Idempotency-Key was used for",
      Retention().idempotencyKeys),
  ]

  /// - Throws: ``UsageError`` for what is no number of days.
  static func read(_ arguments: Arguments) throws -> Retention {
    func days(_ name: String, default kept: Duration) throws -> Duration {
      try arguments.integer(name, in: 1...3650).map(Duration.days) ?? kept
    }
    var retention = Retention()
    retention.outcomes = try days("--keep-outcomes", default: retention.outcomes)
    retention.receipts = try days("--keep-receipts", default: retention.receipts)
    retention.messages = try days("--keep-messages", default: retention.messages)
    retention.uploads = try days("--keep-uploads", default: retention.uploads)
    retention.audit = try days("--keep-audit", default: retention.audit)
    retention.idempotencyKeys = try days(
      "--keep-idempotency-keys", default: retention.idempotencyKeys)
    return retention
  }

  private static func option(_ name: String, _ what: String, _ kept: Duration) -> Option {
    Option(name, "DAYS", help: "\(what) (\(kept.components.seconds / 86_400))")
  }
}
