/// What a device reports about a notification it got.
package struct Receipt: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    case received, displayed, opened, dismissed, action
  }

  package var id: String
  package var send: String
  package var device: String
  package var event: Event
  package var at: Timestamp
  /// What became of the media, and why where it failed.
  package var media: String?
  package var reason: String?
  package var milliseconds: Int64?

  package init(id: String, send: String, device: String, event: Event, at: Timestamp) {
    self.id = id
    self.send = send
    self.device = device
    self.event = event
    self.at = at
  }
}
