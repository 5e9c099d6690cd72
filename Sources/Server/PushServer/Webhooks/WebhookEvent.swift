/// The events that a webhook can subscribe to: actions of the audit log, states of notifications,
/// uninstalled devices, and receipts.
///
/// The store itself notifies webhooks of notifications' states and of uninstalled devices.
enum WebhookEvent {
  static let receipts = "receipts.record"
  static let all = [
    "notification.create", "notification.pause", "notification.resume", "notification.cancel",
    "notification.sending", "notification.paused", "notification.complete",
    "notification.canceled", "notification.failed",
    "campaign.submit", "campaign.approve", "campaign.reject",
    "message.create", "audience.create", "audience.update", "audience.delete", "device.erase",
    "device.uninstalled", "devices.import", "key.create", "key.revoke", receipts,
  ]
}
