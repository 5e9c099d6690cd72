import PushModel

/// What a person knows of a campaign that was started.
struct CampaignRecord: Sendable {
  var new: SimulationEvent.NewCampaign
  /// The time of the first request.
  var begun: Timestamp
  /// The time of the first answer that says it has started; `nil` if none came.
  var started: Timestamp?
  var id: String?
  /// The time at which it is due, by the node's clock.
  var dueAt: Timestamp?
  var orders = Orders()

  var name: String { new.name }
}

/// Something that has happened in the app on a phone.
struct AppEventRecord: Sendable {
  var event: SimulationEvent.AppEvent
  var person: String
  /// The time of the first request.
  var begun: Timestamp
  /// The time of the first answer.
  var answered: Timestamp?
}
