import PushModel

/// The options for the number of days that `martlet serve` keeps records that it no longer needs.
enum RetentionOptions {
  static let outcomes = option(
    "--keep-outcomes", days: Retention().outcomes,
    help: "the outcome of each device, counted from the end of its send")
  static let receipts = option(
    "--keep-receipts", days: Retention().receipts,
    help: "single receipts, counted from their send, and the ids of events")
  static let messages = option(
    "--keep-messages", days: Retention().messages,
    help: "messages, counted from when they are last shown")
  static let uploads = option(
    "--keep-uploads", days: Retention().uploads,
    help: "uploads that no send or message names")
  static let audit = option("--keep-audit", days: Retention().audit, help: "the audit log")
  static let idempotencyKeys = option(
    "--keep-idempotency-keys", days: Retention().idempotencyKeys,
    help: "the request that an Idempotency-Key belongs to")

  static let all: [any CommandOption] = [
    outcomes, receipts, messages, uploads, audit, idempotencyKeys,
  ]

  /// - Throws: ``UsageError`` if a value is not a number of days from 1 to 3650.
  static func read(_ arguments: Arguments) throws -> Retention {
    var retention = Retention()
    retention.outcomes = .days(try arguments[outcomes])
    retention.receipts = .days(try arguments[receipts])
    retention.messages = .days(try arguments[messages])
    retention.uploads = .days(try arguments[uploads])
    retention.audit = .days(try arguments[audit])
    retention.idempotencyKeys = .days(try arguments[idempotencyKeys])
    return retention
  }

  private static func option(_ name: String, days kept: Duration, help: String) -> Option<Int> {
    Option(
      name, .count(1...3650, "DAYS"), default: String(kept.components.seconds / 86_400), help: help
    ).inEnvironment
  }
}
