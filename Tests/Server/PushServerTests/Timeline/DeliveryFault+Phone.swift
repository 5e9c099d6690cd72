import Foundation
import NotificationHost
import PushCrypto
import PushModel
import PushPayload
import Testing
import _OpenSSLCrypto

/// Faults on the phone: its settings, the payload that it gets, and its service extension.
extension DeliveryFault {
  /// A fault of the app's settings, which the app has reported before the push.
  private static func settings(
    _ name: String, _ code: String, from source: String, _ reported: [String: JSONValue],
    level: JSONValue? = nil,
    edit: @escaping @Sendable (inout NotificationSettings) -> Void = { _ in }
  ) -> DeliveryFault {
    DeliveryFault(name, code, from: source) { world in
      await world.register(["notification_settings": .object(reported)])
      world.payload["interruption_level"] = level
      edit(&world.phone.settings)
    }
  }

  static let settings: [DeliveryFault] = [
    settings(
      "the person has turned notifications off", "no_permission",
      from: "super-productivity/super-productivity#6485",
      [
        "authorization": "denied", "alerts": false, "lock_screen": false,
        "notification_center": false,
      ]
    ) { $0 = .denied },
    settings(
      "the app has never asked for the permission", "no_permission",
      from: "lionheart/openradar-mirror#15952", ["authorization": "not_determined"]
    ) { $0 = .denied },
    settings(
      "every place is off", "alerts_off", from: "binwiederhier/ntfy#1796",
      [
        "authorization": "authorized", "alerts": false, "lock_screen": false,
        "notification_center": false, "sounds": true,
      ]
    ) { ($0.alerts, $0.lockScreen, $0.notificationCenter) = (false, false, false) },
    settings(
      "the lock screen is off", "lock_screen_off", from: "binwiederhier/ntfy#880",
      ["authorization": "authorized", "lock_screen": false]
    ) { $0.lockScreen = false },
    settings(
      "the permission is provisional", "quiet_delivery", from: "quiet_delivery",
      ["authorization": "provisional"]
    ) { $0 = .provisional },
    settings(
      "Notification Center is the only place", "quiet_delivery", from: "quiet_delivery",
      ["authorization": "authorized", "alerts": false, "lock_screen": false]
    ) { ($0.alerts, $0.lockScreen) = (false, false) },
    DeliveryFault(
      "an older app has reported quiet delivery", "quiet_delivery", from: "quiet_delivery"
    ) { world in await world.register(["push_quiet": true]) },
    settings(
      "the scheduled summary has it", "scheduled_summary", from: "binwiederhier/ntfy#898",
      ["authorization": "authorized", "scheduled_summary": true]),
    settings(
      "the scheduled summary has a passive one", "scheduled_summary", from: "invertase/notifee#840",
      ["authorization": "authorized", "scheduled_summary": true], level: "passive"),
    settings(
      "time-sensitive notifications are off, so the summary has it", "scheduled_summary",
      from: "react-native-push-notification/ios#390",
      ["authorization": "authorized", "scheduled_summary": true, "time_sensitive": false],
      level: "time-sensitive"),
    DeliveryFault("a Focus is on", "focus", from: "home-assistant/iOS#2094") { world in
      world.phone.isFocused = true
    },
    DeliveryFault(
      "a Focus is on that lets nothing time-sensitive through", "focus",
      from: "invertase/notifee#840"
    ) { world in
      world.phone.isFocused = true
      world.payload["interruption_level"] = "time-sensitive"
      await world.register(["notification_settings": ["time_sensitive": false]])
    },
    settings(
      "the push is passive", "passive", from: "braze-inc/braze-docs#2300",
      ["authorization": "authorized"], level: "passive"),
  ]

  static let payloads: [DeliveryFault] = [
    DeliveryFault(
      "mutable-content is missing", "mutable_content", from: "firebase/quickstart-ios#228"
    ) { $0.payload["mutable_content"] = nil },
    DeliveryFault(
      "mutable-content is off", "mutable_content", from: "noodlewerk/NWPusher#36"
    ) { $0.payload["mutable_content"] = false },
    DeliveryFault("there is no text", "no_alert", from: "Pushwoosh/pushwoosh-ios-sdk#47") { world in
      world.payload = ["badge": 3]
    },
    DeliveryFault("it is a silent push", "no_alert", from: "binwiederhier/ntfy#267") { world in
      world.payload = ["content_available": true, "badge": 1]
    },
  ]

  private static func deviceKeys() throws -> DeviceKeys {
    try DeviceKeys.generate(with: OpenSSLCrypto())
  }

  static let extensions: [DeliveryFault] = [
    DeliveryFault(
      "the payload is encrypted with an old key", "decryption_authentication",
      from: "element-hq/element-x-ios#991"
    ) { world in
      let (old, new) = (try Self.deviceKeys(), try Self.deviceKeys())
      await world.register(try old.members)
      world.phone.keys = new
    },
    DeliveryFault(
      "an encrypted message arrives twice", "decryption_replayed", from: "decryption_replayed"
    ) { world in
      let keys = try Self.deviceKeys()
      await world.register(try keys.members)
      world.phone.keys = keys
      world.phone.repeats = 2
    },
    DeliveryFault(
      "the extension is for other categories", "category_untouched",
      from: "CleverTap/clevertap-react-native#409"
    ) { world in
      world.phone.categories = ["OFFER"]
      world.payload["category"] = "NEWS"
    },
  ]
}

extension DeviceKeys {
  /// The public part in the form in which a device registers it.
  fileprivate var members: [String: JSONValue] {
    get throws {
      try JSONValue(parsing: JSONEncoder().encode(subscription)).object ?? [:]
    }
  }
}
