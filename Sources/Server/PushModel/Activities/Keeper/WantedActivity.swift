/// The wish of an app's server for a Live Activity: its state by a number that ascends, and the rules for its pushes.
package struct WantedActivity: Hashable, Sendable {
  /// The number of the state; each change has the next.
  package var revision = 1
  /// The last revision with an alert, and the last that is to be seen at once; 0 if there was none.
  package var alertRevision = 0
  package var urgentRevision = 0
  /// Whether the activity is to end.
  package var isOver = false
  /// Whether phones that have a push-to-start token get a start.
  package var startsPhones = true
  /// Whether the activity is ended and started again before the system ends it.
  package var isRenewed = true
  /// The longest time between two pushes to a phone; `nil` if the server asks for no heartbeat.
  package var heartbeat: Duration?
  /// The most pushes with priority 10 that a phone gets in an hour from all activities of the app.
  package var urgentLimit = 10

  package init() {}

  /// Replaces the state.
  ///
  /// A phone that has not been sent the state before gets only the new one, with the last alert.
  package mutating func change(hasAlert: Bool, isUrgent: Bool) {
    revision += 1
    if hasAlert { alertRevision = revision }
    if isUrgent { urgentRevision = revision }
  }
}
