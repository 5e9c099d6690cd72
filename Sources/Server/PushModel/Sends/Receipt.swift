/// A device's report about a notification that it received.
package struct Receipt: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    case received, displayed, opened, dismissed, action
    case templateViewed = "template_viewed"
    case templatePage = "template_page"
    case templateAnswered = "template_answered"
    case templateOpened = "template_opened"
    case templateExpired = "template_expired"
    case templatePlayed = "template_played"
  }

  package var id: String
  package var send: String
  package var device: String
  package var event: Event
  /// The time of the event, by the device's clock.
  package var at: Timestamp
  /// The result of showing the notification's media: "attached", "alternative", "failed" or "skipped".
  package var media: String?
  /// The reason for which the media failed.
  package var reason: String?
  /// The time that the media took, in milliseconds.
  package var milliseconds: Int64?
  /// What the service extension did; `nil` if the app does not send it.
  package var trace: ReceiptTrace?
  /// The index of the page of an expanded notification.
  ///
  /// Like ``dwell`` and ``value``, it is only counted, not stored for the device.
  package var page: Int?
  /// The time for which the page was visible, in whole seconds.
  package var dwell: Int?
  /// The answer: a star, or the identifier of a choice.
  package var value: String?

  package init(id: String, send: String, device: String, event: Event, at: Timestamp) {
    self.id = id
    self.send = send
    self.device = device
    self.event = event
    self.at = at
  }
}
