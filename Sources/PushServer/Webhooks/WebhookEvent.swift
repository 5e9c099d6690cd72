import PushPayload
import PushStore

/// What webhooks are told of: what the audit log says was done, how sends go on, which devices are
/// gone, and receipts.
enum WebhookEvent {
  static let receipts = "receipts.record"
  /// Devices that Apple reported gone, up to a thousand in one call.
  static let uninstalled = "device.uninstalled"
  static let all = [
    "notification.create", "notification.pause", "notification.resume", "notification.cancel",
    "notification.sending", "notification.paused", "notification.complete",
    "notification.canceled", "notification.failed",
    "message.create", "audience.create", "audience.update", "audience.delete", "device.erase",
    uninstalled, "devices.import", "key.create", "key.revoke", receipts,
  ]

  /// What a webhook is sent.
  static func body(
    _ event: String, app: String, _ data: JSONValue, at now: Timestamp
  ) -> JSONValue {
    [
      "id": .string(Identifiers.object()), "event": .string(event), "app_id": .string(app),
      "created_at": .string(now.iso8601), "data": data,
    ]
  }

  /// What is told of devices that are gone.
  static func gone(_ devices: [Device], notification: String) -> JSONValue {
    [
      "notification_id": .string(notification),
      "devices": .array(
        devices.map { device in
          [
            "id": .string(device.id), "user_id": .optional(device.userID),
            "uninstalled_at": .optional(device.uninstalledAt?.iso8601),
          ]
        }),
    ]
  }
}
