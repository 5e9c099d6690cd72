/// The time for which a store keeps rows that it no longer needs.
package struct Retention: Hashable, Sendable {
  /// The outcome of each device, counted from the end of its send; the send and its counts stay.
  package var outcomes = Duration.days(90)
  /// Receipts, counted from the acceptance of their send; the counts that they changed stay.
  ///
  /// The ids of events are kept as long. An event that is repeated later counts again.
  package var receipts = Duration.days(90)
  /// Messages, counted from the time at which they are no longer shown.
  package var messages = Duration.days(30)
  /// Uploads that no send, message, template or app icon names; drafts are only in a browser and do not count.
  package var uploads = Duration.days(90)
  package var audit = Duration.days(365)
  /// Idempotency keys; a request that repeats an older key is a new request.
  package var idempotencyKeys = Duration.days(7)
  /// Live Activities with their sends, counted from the last send, or from the creation of one that has sent nothing.
  package var activities = Duration.days(14)
  /// Enrollments in triggered campaigns, counted from their end; the counts of the campaign stay.
  ///
  /// An enrollment that still decides whether its person may enter again is kept while the campaign goes on.
  package var enrollments = Duration.days(90)
  /// The uploaded files of imports, counted from the last step of the import.
  package var importFiles = Duration.days(1)
  /// What is known of imports, counted from their last step.
  package var imports = Duration.days(90)
  /// The number of an app's device changes that stay in the log.
  ///
  /// An index that has fallen behind all of them is rebuilt.
  package var changes = 1_000_000

  package init() {}
}

extension Duration {
  package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
