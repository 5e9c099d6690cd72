/// How long a store keeps what it no longer needs.
package struct Retention: Hashable, Sendable {
  /// What became of each device, after its send ended; the send and its counts stay.
  package var outcomes = Duration.days(90)
  /// Single receipts, after their send was accepted; what they counted stays.
  package var receipts = Duration.days(90)
  /// Messages, after their stream stopped showing them.
  package var messages = Duration.days(30)
  /// Uploads that no send and no message names; a draft is known to its browser alone.
  package var uploads = Duration.days(90)
  package var audit = Duration.days(365)
  /// After this a request with a key that was used is a new one.
  package var idempotencyKeys = Duration.days(7)
  /// How many changes of an app's devices are logged; an index that has seen fewer is built anew.
  package var changes = 1_000_000

  package init() {}
}

extension Duration {
  package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
