/// A report of a device about a notification that it received.
package struct Receipt: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    case received, displayed, opened, dismissed, action
  }

  package var id: String
  package var send: String
  package var device: String
  package var event: Event
  /// When the event happened, by the device's clock.
  package var at: Timestamp
  /// What the notification showed of its media: "attached", "alternative", "failed" or "skipped".
  package var media: String?
  /// Why the media failed.
  package var reason: String?
  /// How long the media took, in milliseconds.
  package var milliseconds: Int64?

  package init(id: String, send: String, device: String, event: Event, at: Timestamp) {
    self.id = id
    self.send = send
    self.device = device
    self.event = event
    self.at = at
  }
}
