import PushModel
import PushPayload

/// Faults by which a device is not among those that a notification is sent to.
extension DeliveryFault {
  private static func to(
    _ target: JSONValue, _ name: String, _ code: String = "not_in_audience", from source: String,
    device: [String: JSONValue] = [:]
  ) -> DeliveryFault {
    DeliveryFault(name, code, from: source) { world in
      await world.register(device)
      world.members["to"] = target
    }
  }

  private static func filter(_ name: String, _ criteria: JSONValue, not: Bool = false) -> JSONValue
  {
    [["name": .string(name), "criteria": [criteria], "not_filter": .bool(not)]]
  }

  static let audience: [DeliveryFault] = [
    to(filter("tags", "news"), "without the tag", from: "binwiederhier/ntfy#898"),
    to(
      filter("tags", "beta", not: true), "with a tag that is left out", from: "not_in_audience",
      device: ["tags": ["beta"]]),
    to(
      filter("app_version", ["gte": "3.0"]), "with an old version of the app",
      from: "firebase/flutterfire#7674", device: ["app_version": "2.9"]),
    to(
      filter("locale", "de"), "with another language", from: "not_in_audience",
      device: ["locale": "en_US"]),
    to(
      filter("location", ["lat": 52.5, "lng": 13.4, "radius": 2000]), "at another place",
      from: "not_in_audience", device: ["location": ["gps": ["lat": 48.1, "lng": 11.6]]]),
    to(filter("custom.integer.age", ["gte": 18]), "without the attribute", from: "not_in_audience"),
    to(
      filter("custom.string.plan", "pro"), "with another value of the attribute",
      from: "not_in_audience",
      device: ["user_attributes": ["plan": ["type": "string", "value": "free"]]]),
    to(
      filter("events.bought", ["gte": 1]), "on which the event did not happen",
      from: "not_in_audience"),
    to(
      filter("last_opened", ["gte": "-7d"]), "that was not opened lately", from: "not_in_audience"),
    to(
      ["user_ids": ["ada"]], "whose user has signed out", from: "urbanairship/ios-library#72"),
    to(
      ["any": [filter("tags", "a"), filter("tags", "b")]], "that is in none of the parts",
      from: "not_in_audience", device: ["tags": ["c"]]),
    to(
      ["except": [filter("tags", "staff")]], "that a filter leaves out", "excluded",
      from: "not_in_audience", device: ["tags": ["staff"]]),
    DeliveryFault("that an audience leaves out", "excluded", from: "not_in_audience") { world in
      await world.register(["tags": ["staff"]])
      let staff: JSONValue = ["name": "Staff", "to": filter("tags", "staff")]
      let id = await world.post("audiences", ["audience": staff])["audience"]?["id"] ?? .null
      world.members["to"] = ["except": [id]]
    },
    DeliveryFault("that got the notification before", "excluded", from: "not_in_audience") {
      world in
      await world.send()
      try await world.deliver()
      world.members["to"] = ["except": [["received": .string(world.id)]]]
    },
    DeliveryFault(
      "whose person does not allow pushes", "opted_out", from: "OneSignal/OneSignal-iOS-SDK#535"
    ) { world in await world.register(["push_enabled": false]) },
    DeliveryFault(
      "that never got a push token", "no_token", from: "lionheart/openradar-mirror#15952"
    ) { world in await world.register(["push_token": .null]) },
    DeliveryFault(
      "whose token another installation has taken after a restore", "no_token",
      from: "wordpress-mobile/WordPress-iOS#6074"
    ) { world in
      await world.register(["push_token": .string(Fixture.token("d"))], as: "restored")
    },
    DeliveryFault("that is no iOS device", "other_platform", from: "other_platform") { world in
      await world.register(["platform": "Android", "push_token": "fcm-token"])
    },
    DeliveryFault("that was erased", "erased", from: "erased") { world in
      let app = world.fixture.app.id
      _ = try await world.fixture.store.erase(
        device: "d", app: app, at: world.fixture.clock.now)
    },
    DeliveryFault(
      "from which the app was removed", "uninstalled", from: "element-hq/element-x-ios#991"
    ) { world in
      world.refuse(410, "Unregistered")
      await world.send()
      try await world.deliver()
    },
    DeliveryFault("that registered later", "registered_later", from: "registered_later") { world in
      world.query = "device=later&notification="
      await world.send()
      world.query = "device=later&notification=\(world.id)"
      world.fixture.clock.advance(by: .seconds(60))
      await world.register([:], as: "later")
    },
    DeliveryFault("that was in no audience when it was sent", "not_selected", from: "not_selected")
    {
      world in
      await world.register(["tags": ["old"]])
      world.members["to"] = filter("tags", "news")
      await world.send()
      await world.register(["tags": ["news"]])
      world.query = "notification=\(world.id)&device=d"
    },
  ]
}
