/// What webhooks are told of: what the audit log says was done, how sends go on, which devices are
/// gone, and receipts.
///
/// The store tells of sends and of devices by itself.
enum WebhookEvent {
  static let receipts = "receipts.record"
  static let all = [
    "notification.create", "notification.pause", "notification.resume", "notification.cancel",
    "notification.sending", "notification.paused", "notification.complete",
    "notification.canceled", "notification.failed",
    "message.create", "audience.create", "audience.update", "audience.delete", "device.erase",
    "device.uninstalled", "devices.import", "key.create", "key.revoke", receipts,
  ]
}
