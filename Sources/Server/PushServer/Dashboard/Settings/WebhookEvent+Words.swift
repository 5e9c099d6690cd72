extension WebhookEvent {
  /// The events of a webhook in words, by what they are about.
  static let groups: [(title: String, events: [(name: String, words: String)])] = [
    (
      "Notifications",
      [
        ("notification.create", "Notification created"),
        ("notification.sending", "Sending began"),
        ("notification.pause", "Somebody paused a notification"),
        ("notification.paused", "Sending stopped for a pause"),
        ("notification.resume", "Notification resumed"),
        ("notification.complete", "Notification sent to all its devices"),
        ("notification.cancel", "Somebody canceled a notification"),
        ("notification.canceled", "Sending stopped for good"),
        ("notification.failed", "Notification failed"),
      ]
    ),
    (
      "Campaigns and messages",
      [
        ("campaign.submit", "Campaign submitted for approval"),
        ("campaign.approve", "Campaign approved"), ("campaign.reject", "Campaign rejected"),
        ("message.create", "In-app message published"),
      ]
    ),
    (
      "Devices and audiences",
      [
        (receipts, "Devices reported what they displayed or opened"),
        ("device.uninstalled", "App uninstalled from a device"),
        ("device.erase", "Device erased"), ("devices.import", "Devices imported"),
        ("audience.create", "Audience created"), ("audience.update", "Audience changed"),
        ("audience.delete", "Audience deleted"),
      ]
    ),
    ("Keys", [("key.create", "API key created"), ("key.revoke", "API key revoked")]),
  ]

  /// The words for an event; the event's own name if it is of a newer version.
  static func words(_ event: String) -> String {
    groups.lazy.flatMap(\.events).first { $0.name == event }?.words ?? event
  }
}
