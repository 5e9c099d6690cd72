import PushModel

/// What a caller knows of a notification that it has sent.
struct SendRecord: Sendable {
  var new: SimulationEvent.NewSend
  /// The time of the first request.
  var begun: Timestamp
  /// The time of the first answer that says the send is stored; `nil` if none came.
  var accepted: Timestamp?
  /// The id of the notification, of the first answer.
  var id: String?
  /// The time at which it is due, by the node's clock.
  var dueAt: Timestamp?
  /// The times in which it is paused: from the answer to the pause until a resume is asked for.
  var pauses: [(from: Timestamp, to: Timestamp?)] = []
  /// The time of the answer that says it is canceled.
  var canceled: Timestamp?

  var name: String { "s\(new.number)" }

  /// Whether the send was paused at a time.
  func isPaused(at time: Timestamp) -> Bool {
    pauses.contains { $0.from < time && time < $0.to ?? Timestamp(milliseconds: .max) }
  }
}
