import PushModel

/// What a caller knows of a notification that it has sent, or that a campaign has.
struct SendRecord: Sendable {
  /// The name in the journal.
  var name: String
  /// The text of the notification.
  var text: String
  /// The group that gets it; `nil` if everyone does.
  var group: Int?
  var obeysCaps: Bool
  var obeysQuiet: Bool
  /// The time of the first request, or at which the campaign selected the devices.
  var begun: Timestamp
  /// The time of the first answer that says the send is stored; `nil` if none came.
  var accepted: Timestamp?
  /// The id of the notification, of the first answer.
  var id: String?
  /// The time at which it is due, by the node's clock.
  var dueAt: Timestamp?
  /// The time at which a campaign read the clocks of the devices; `nil` if it did when it selected them.
  var plannedAt: Timestamp?
  var orders = Orders()

  init(_ new: SimulationEvent.NewSend, begun: Timestamp) {
    name = "s\(new.number)"
    text = name
    (group, obeysCaps, obeysQuiet) = (new.group, new.obeysCaps, new.obeysQuiet)
    self.begun = begun
  }

  /// A notification of a campaign, whose devices were selected from `begun` until `accepted`.
  init(
    _ name: String, id: String, of campaign: CampaignRecord, variant: String, obeysQuiet: Bool,
    begun: Timestamp, accepted: Timestamp
  ) {
    (self.name, self.id, self.begun, self.accepted) = (name, id, begun, accepted)
    text = campaign.new.text(of: variant)
    (group, obeysCaps) = (campaign.new.group, campaign.new.obeysCaps)
    self.obeysQuiet = obeysQuiet
    (dueAt, orders) = (campaign.dueAt, campaign.orders)
  }

  /// Whether a device in a state belongs to the audience.
  func reaches(_ state: PhoneRecord.State?) -> Bool {
    state.map { $0.isEnabled && (group == nil || group == $0.group) } ?? false
  }
}
