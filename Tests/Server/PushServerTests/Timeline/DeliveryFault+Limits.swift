import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

/// Faults by which a notification is held back on the server, or cannot be composed.
extension DeliveryFault {
  private static func limit(_ world: DeliveryWorld, _ limits: JSONValue) async {
    let body: JSONValue = ["limits": limits]
    let answer = await world.fixture.request("PUT", "/v6/limits", role: .admin, body: body.text)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// The quiet hours around the time of the clock, 22:13 UTC.
  private static func quiet(_ otherwise: JSONValue) -> JSONValue {
    ["quiet": ["from": "22:00", "to": "08:00", "else": otherwise]]
  }

  static let limits: [DeliveryFault] = [
    DeliveryFault("it is scheduled for later", "waiting", from: "waiting") { world in
      world.members["scheduled_at"] = "2023-11-15T09:00:00Z"
    },
    DeliveryFault("it waits for the device's local time", "waiting", from: "waiting") { world in
      await world.register(["time_zone": "Asia/Tokyo"])
      world.members["scheduled_at"] = "2023-11-16T09:00:00Z"
      world.members["local_time"] = true
    },
    DeliveryFault("it waits for the end of quiet hours", "waiting", from: "quiet") { world in
      world.members["limits"] = quiet("wait")
    },
    DeliveryFault("it was dropped in quiet hours", "quiet", from: "quiet") { world in
      world.members["limits"] = quiet("drop")
    },
    DeliveryFault("the app allows one push a day", "capped", from: "capped") { world in
      await limit(world, ["caps": [["most": 1, "within": "P1D"]]])
      world.members["limits"] = ["caps": "obey"]
      await world.send()
      try await world.deliver()
    },
    DeliveryFault(
      "a person has paused it", "paused", from: "paused",
      between: { world in _ = await world.post("notifications/\(world.id)/pause") }),
    DeliveryFault(
      "a person has canceled it", "canceled", from: "canceled",
      between: { world in
        let path = "/v6/notifications/\(world.id)"
        #expect(await world.fixture.request("DELETE", path).status == 200)
      }),
    DeliveryFault(
      "it expired before it was due", "expired", from: "expired",
      before: { world in world.members["expires_at"] = "2023-11-14T22:14:20Z" },
      between: { world in world.fixture.clock.advance(by: .seconds(120)) }),
    DeliveryFault(
      "its rate leaves the device for later", "waiting", from: "binwiederhier/ntfy#1373"
    ) { world in
      await world.register([:], as: "second")
      world.members["throttle_per_second"] = 1
      await world.send()
      world.query = "notification=\(world.id)&device=second"
    },
    DeliveryFault(
      "APNs cannot be reached", "waiting", from: "binwiederhier/ntfy#1097",
      between: { world in
        world.reachesPhone = false
        world.fixture.apple.answer { push in
          APNsOutcome(kind: .neverSent, apnsID: push.id, message: "no connection")
        }
      }),
    DeliveryFault(
      "APNs is not available", "waiting", from: "firebase/firebase-ios-sdk#2438",
      between: { world in
        world.reachesPhone = false
        world.refuse(503, "ServiceUnavailable")
      }),
  ]

  /// Refusals of the key, which hold for every device: the send is paused at the second one.
  static let keys: [DeliveryFault] = [
    ("InvalidProviderToken", "matrix-org/sygnal#102"),
    ("ExpiredProviderToken", "node-apn/node-apn#517"),
    ("MissingProviderToken", "appfeel/node-pushnotifications#97"),
    ("BadCertificate", "OneSignal/OneSignal-iOS-SDK#535"),
  ].map { reason, source in
    DeliveryFault(
      "Apple refuses the key: \(reason)", "paused", from: source,
      between: { world in
        world.reachesPhone = false
        world.refuse(403, reason)
        for _ in 0..<3 {
          try await world.deliver()
          world.fixture.clock.advance(by: .seconds(60))
        }
      })
  }

  static let composition: [DeliveryFault] = [
    DeliveryFault(
      "its template fails for the device", "TemplateFailed", from: "TemplateFailed"
    ) { world in
      await world.register(["user_attributes": ["n": ["type": "integer", "value": 200_000]]])
      world.payload["alert"] = "Hi{% for i in (1..custom.n) %}{{ i }}{% endfor %}"
    },
    DeliveryFault(
      "its text is too long for the device", "PayloadTooLarge", from: "PayloadTooLarge"
    ) { world in
      let name = String(repeating: "x", count: 250)
      await world.register([
        "user_attributes": ["name": ["type": "string", "value": .string(name)]]
      ])
      world.payload["alert"] = .string(
        "Hi" + String(repeating: "{{ custom.name }}", count: 30))
    },
    DeliveryFault("the device's keys are not a point", "BadDeviceKey", from: "BadDeviceKey") {
      world in
      await world.register([
        "public_key": .string("B" + String(repeating: "A", count: 86)),
        "auth_secret": .string(String(repeating: "A", count: 22)),
      ])
    },
    DeliveryFault(
      "the device has lost its token meanwhile", "NoToken",
      from: "zo0r/react-native-push-notification#1850",
      between: { world in await world.register(["push_token": .null]) }),
  ]

  /// Answers of APNs about the device or the push.
  static let answers: [DeliveryFault] = [
    (400, "BadDeviceToken", "jazzband/django-push-notifications#556"),
    (400, "DeviceTokenNotForTopic", "sideshow/apns2#172"),
    (400, "TopicDisallowed", "node-apn/node-apn#517"),
    (400, "BadTopic", "bliporg/blip#840"),
    (400, "MissingTopic", "appfeel/node-pushnotifications#97"),
    (400, "BadCollapseId", "BadCollapseId"), (400, "BadExpirationDate", "BadExpirationDate"),
    (400, "BadMessageId", "BadMessageId"), (400, "BadPriority", "BadPriority"),
    (400, "InvalidPushType", "edamov/pushok#97"), (400, "PayloadEmpty", "PayloadEmpty"),
    (400, "DuplicateHeaders", "DuplicateHeaders"), (404, "BadPath", "BadPath"),
    (405, "MethodNotAllowed", "MethodNotAllowed"), (410, "Unregistered", "aldero-io/faxdash#250"),
    (410, "ExpiredToken", "firebase/quickstart-ios#337"),
    (413, "PayloadTooLarge", "noodlewerk/NWPusher#36"), (403, "Forbidden", "Forbidden"),
  ].map { status, reason, source in
    DeliveryFault(
      "APNs answers \(status) \(reason)", reason, from: source,
      between: { world in
        world.reachesPhone = false
        world.refuse(status, reason)
      })
  }
}
