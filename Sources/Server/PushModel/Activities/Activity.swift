/// A Live Activity, as far as the server knows it.
package struct Activity: Hashable, Sendable {
  package var id: String
  /// The name of the `ActivityAttributes` type; `nil` if only broadcasts were sent.
  package var type: String?
  /// The number of devices with a token of the activity.
  package var phones = 0
  /// The last push; `nil` if no push was sent yet.
  package var last: Last?
  /// The number of tokens that were removed after the activity ended, or because APNs refused them.
  package var removed = 0
  /// The counts of all sends of the activity.
  package var counts = Send.Counts()
  /// The number of failed pushes by the reason of APNs.
  package var failures: [String: Int] = [:]
  /// The number of sends in the last hour.
  package var recentPushes = 0
  /// The part of ``recentPushes`` with priority 10, which counts against each phone's hourly budget.
  package var recentUrgentPushes = 0

  /// The last push to an activity.
  package struct Last: Hashable, Sendable {
    package var event: ActivityPush.Event
    /// The timestamp of the push, in UNIX seconds.
    package var timestamp: Int64
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
      event: ActivityPush.Event, timestamp: Int64, createdAt: Timestamp, updatedAt: Timestamp
    ) {
      (self.event, self.timestamp) = (event, timestamp)
      (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    }
  }

  package init(id: String) { self.id = id }
}
