import PushModel
import PushPayload
import Testing

/// Faults by which a campaign has sent the device nothing.
extension DeliveryFault {
  private static let oneVariant: JSONValue = [
    ["key": "a", "payload": ["alert": "Hello"]]
  ]

  /// A fault of a campaign; `act` returns its id, and the device if that is not `d`.
  private static func campaign(
    _ name: String, _ code: String, from source: String? = nil,
    _ act: @escaping @Sendable (DeliveryWorld) async throws -> String
  ) -> DeliveryFault {
    DeliveryFault(name, code, from: source ?? code) { world in
      let id = try await act(world)
      world.query = "campaign=\(id)" + (id.contains("&device=") ? "" : "&device=d")
    }
  }

  private static func create(
    _ world: DeliveryWorld, _ members: [String: JSONValue] = [:]
  ) async throws -> String {
    try await world.all.create(["variants": oneVariant].merging(members) { $1 })
  }

  private static func start(
    _ world: DeliveryWorld, _ members: [String: JSONValue] = [:]
  ) async throws -> String {
    let id = try await create(world, members)
    _ = await world.post("campaigns/\(id)/start")
    return id
  }

  private static func limit(_ world: DeliveryWorld, _ limits: JSONValue) async {
    let body: JSONValue = ["limits": limits]
    _ = await world.fixture.request("PUT", "/v6/limits", role: .admin, body: body.text)
  }

  private static let cart: [String: JSONValue] = [
    "when": ["trigger": ["event": "cart"], "after": "PT1H", "exit_on": [["event": "bought"]]]
  ]

  static let campaigns: [DeliveryFault] = [
    campaign("the campaign is a draft", "not_started") { try await create($0) },
    campaign("the campaign waits for an approval", "not_started") { world in
      await limit(world, ["approval": "required"])
      let id = try await create(world)
      _ = await world.post("campaigns/\(id)/submit")
      return id
    },
    campaign("the campaign was rejected", "not_started") { world in
      await limit(world, ["approval": "required"])
      let id = try await create(world)
      _ = await world.post("campaigns/\(id)/submit")
      _ = await world.post("campaigns/\(id)/reject", ["version": 1, "note": "Typo"], role: .admin)
      return id
    },
    campaign("the campaign begins tomorrow", "planned") { world in
      try await start(world, ["when": ["at": "2023-11-15T09:00:00Z"]])
    },
    campaign("the person is in the holdout", "held_out") { world in
      await limit(world, ["holdout": ["percent": 15]])
      for number in 0..<80 { await world.register([:], as: "p\(number)") }
      let id = try await start(world)
      let runs = await world.all.get("campaigns/\(id)/runs")["runs"]?.array
      let run = try #require(runs?.first?["id"]?.string)
      let app = world.fixture.app.id
      let held = try await world.fixture.store.devices(.heldOut, ofRun: run, app: app)
      let ids = try await world.fixture.store.deviceIDs(app: app, numbers: held)
      return "\(id)&device=\(try #require(ids.values.min()))"
    },
    campaign("no event has enrolled the person", "not_enrolled") { try await start($0, cart) },
    campaign("the person waits for the step", "waiting") { world in
      let id = try await start(world, cart)
      await world.all.happen("cart", on: "d")
      return id
    },
    campaign("the campaign is paused while the person waits", "paused") { world in
      let id = try await start(world, cart)
      await world.all.happen("cart", on: "d")
      _ = await world.post("campaigns/\(id)/pause")
      return id
    },
    campaign("the person has bought already", "exited") { world in
      let id = try await start(world, cart)
      await world.all.happen("cart", on: "d")
      await world.all.happen("bought", on: "d")
      return id
    },
    campaign("the device is not in the campaign's audience", "not_in_audience") { world in
      await world.register(["tags": ["news"]], as: "other")
      return try await start(world, ["to": [["name": "tags", "criteria": ["news"]]]])
    },
    campaign("the campaign runs in the app's quiet hours", "quiet") { world in
      await limit(world, ["quiet": ["from": "22:00", "to": "08:00", "else": "drop"]])
      return try await start(world)
    },
    campaign("the run was canceled before its winner", "canceled") { world in
      for number in 0..<20 { await world.register([:], as: "p\(number)") }
      // Without a control, in which the device would be by chance.
      let variants: JSONValue = [
        ["key": "a", "share": 50, "payload": ["alert": "Variant A"]],
        ["key": "b", "share": 50, "payload": ["alert": "Variant B"]],
      ]
      let id = try await start(
        world, ["variants": variants, "test": CampaignFixture.test])
      let runs = await world.all.get("campaigns/\(id)/runs")["runs"]?.array
      let run = try #require(runs?.first?["id"]?.string)
      _ = await world.post("runs/\(run)/cancel")
      return id
    },
  ]
}
