/// A push that a keeper sends to phones.
package struct KeptPush: Hashable, Sendable {
  package var event: ActivityPush.Event
  /// The revision of the state in the push.
  package var revision: Int
  package var isUrgent: Bool
  /// Whether the push has the alert of the state.
  package var hasAlert: Bool
  /// Whether an end removes the activity at once, since another one follows, or a start follows such an end.
  package var isRenewal = false

  package init(event: ActivityPush.Event, revision: Int, isUrgent: Bool, hasAlert: Bool) {
    (self.event, self.revision) = (event, revision)
    (self.isUrgent, self.hasAlert) = (isUrgent, hasAlert)
  }

  /// The time for which a start is useful: a phone that is offline for longer shows no outdated activity.
  package static let startLife = Duration.seconds(15 * 60)
  /// The time that delivery may take to end a start that has expired.
  package static let startGrace = Duration.seconds(120)
  /// The time after which an update counts as one without an answer.
  package static let answerLimit = Duration.seconds(10 * 60)
}

/// The answer of APNs to a push of a keeper.
package enum KeptAnswer: String, Hashable, Sendable {
  /// APNs has accepted the push; the phone may still ignore it.
  case accepted
  /// The phone has not got the push, and does not get it later.
  case refused
  /// The phone has perhaps got the push.
  case unknown
}
