import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Widgets and controls over the API", .timeLimit(.minutes(10)))
struct ReloadRoutesTests {
  private static let widgets = "/v6/devices/phone/reload-tokens/widgets"
  private static let controls = "/v6/devices/phone/reload-tokens/controls"

  private func set(
    _ tokens: JSONValue, at path: String = widgets, _ world: ActivityWorld
  ) async {
    let answer = await world.ask("PUT", path, ["tokens": tokens])
    #expect(answer.status == 204 && answer.text.isEmpty, "\(answer.text)")
  }

  private func tokens(_ world: ActivityWorld) async -> [String] {
    let answer = await world.ask("GET", "/v6/devices/phone")
    #expect(answer.status == 200)
    return (answer.json["devices"]?["reload_tokens"]?.array ?? []).map { token in
      "\(token["type"]?.string ?? "") \(token["token"]?.string ?? "")"
        + (token["kind"]?.string.map { " " + $0 } ?? "")
    }
  }

  private func reload(
    _ world: ActivityWorld, _ type: String = "widgets",
    _ members: [String: JSONValue] = ["devices": ["phone"]]
  ) async -> JSONValue {
    let body = JSONValue.object(members.merging(["type": .string(type)]) { $1 })
    let answer = await world.request("POST", "/v6/reloads", ["reload": body])
    #expect(answer.status == 200, "\(answer.text)")
    return answer.json["reload"] ?? .null
  }

  @Test("a phone replaces, reads and removes its tokens with its secret")
  func life() async throws {
    let world = try await ActivityWorld()
    await set([["token": "00FF"]], world)
    await set(
      [["token": "AA", "kind": "lamp"], ["token": "bb"]], at: Self.controls, world)
    #expect(await tokens(world) == ["controls aa lamp", "controls bb", "widgets 00ff"])
    await set([["token": "bb", "kind": "door"]], at: Self.controls, world)
    await set([], world)
    #expect(await tokens(world) == ["controls bb door"])
    // An app's admin may do the same, for devices that there are.
    let body: JSONValue = ["tokens": [["token": "cc"]]]
    #expect(await world.request("PUT", Self.widgets, body, role: .admin).status == 204)
    let unknown = Self.widgets.replacing("phone", with: "none")
    #expect(await world.request("PUT", unknown, body, role: .admin).status == 404)
    // What is exported of the person has them.
    let audience = await world.request(
      "POST", "/v6/audiences", ["audience": ["name": "All", "to": "*"]], role: .admin)
    let id = try #require(audience.json["audience"]?["id"]?.string, "\(audience.text)")
    let lines = await world.request("GET", "/v6/audiences/\(id)/devices.ndjson").streamed()
    let exported = try JSONValue(parsing: lines)["reload_tokens"]?.array
    #expect(exported?.map { $0["token"] } == ["bb", "cc"])
    #expect(await world.request("DELETE", "/v6/devices/phone").status == 200)
    let erased = await world.request("GET", "/v6/devices/phone")
    #expect(erased.json["devices"]?["reload_tokens"] == nil, "\(erased.text)")
    #expect(await world.ask("PUT", Self.widgets, body).status == 451)
  }

  @Test(
    "tokens that cannot be are refused with their path",
    arguments: [
      (widgets, [:], 422, "$.tokens is missing"),
      (widgets, ["tokens": "aa"], 400, "$.tokens must be an array"),
      (widgets, ["tokens": [[:]]], 422, "$.tokens[0].token is missing"),
      (widgets, ["tokens": [["token": "abc"]]], 422, "$.tokens[0].token has 3 hex digits"),
      (widgets, ["tokens": [["token": "aa", "at": 1]]], 422, "$.tokens[0].at is not known"),
      (
        widgets, ["tokens": [["token": "aa"], ["token": "bb"]]], 422,
        "$.tokens must have at most 1 tokens of widgets"
      ),
      (
        widgets, ["tokens": [["token": "aa", "kind": "lamp"]]], 422,
        "$.tokens[0].kind is not known"
      ),
      (
        controls, ["tokens": [["token": "aa"], ["token": "AA"]]], 422,
        "$.tokens[1].token is in the list twice"
      ),
      (
        controls, ["tokens": [["token": "aa", "kind": ""]]], 422,
        "$.tokens[0].kind must have 1 to 128 characters"
      ),
      (widgets.replacing("/widgets", with: "/complication"), ["tokens": []], 404, ""),
    ] as [(String, JSONValue, Int, String)])
  func refusedTokens(path: String, body: JSONValue, status: Int, error: String) async throws {
    let answer = await (try ActivityWorld()).ask("PUT", path, body)
    #expect(answer.status == status)
    #expect(answer.error.hasPrefix(error), "\(answer.error)")
  }

  @Test("a device has up to 20 controls, and a kind up to 128 characters")
  func limits() async throws {
    let world = try await ActivityWorld()
    func put(count: Int = 1, kind: Int = 1) async -> Int {
      let tokens = (0..<count).map { number -> JSONValue in
        let token = String(number + 16, radix: 16)
        return ["token": .string(token), "kind": .string(String(repeating: "é", count: kind))]
      }
      return await world.ask("PUT", Self.controls, ["tokens": .array(tokens)]).status
    }
    #expect(await put(count: 20, kind: 128) == 204)
    #expect(await put(count: 21) == 422)
    #expect(await put(kind: 129) == 422)
  }

  @Test(
    "a reload that cannot be is refused with its path",
    arguments: [
      ([:], "$.reload.type is missing"),
      (["type": "alert", "targets": "*"], "$.reload.type must be widgets or controls"),
      (["type": "widgets"], "$.reload.devices or targets must name the devices"),
      (["type": "widgets", "devices": ["a"], "targets": "*"], "$.reload.targets cannot stand"),
      (["type": "widgets", "devices": []], "$.reload.devices must have 1 to 1000 ids"),
      (
        ["type": "widgets", "kinds": ["a"], "targets": "*"],
        "$.reload.kinds is for controls"
      ),
      (["type": "controls", "kinds": [], "targets": "*"], "$.reload.kinds must have 1 to 20"),
      (
        ["type": "controls", "kind": "lamp", "targets": "*"],
        "$.reload.kind is not known; did you mean kinds?"
      ),
    ] as [(JSONValue, String)])
  func refusedReload(reload: JSONValue, error: String) async throws {
    let world = try await ActivityWorld()
    let answer = await world.request("POST", "/v6/reloads", ["reload": reload])
    #expect(answer.status == 422)
    #expect(answer.error.hasPrefix(error), "\(answer.error)")
  }

  @Test(
    "a reload goes to each token with the topic, the type and the payload that Apple prescribes")
  func sent() async throws {
    let world = try await ActivityWorld(phones: ["phone", "other"])
    await set([["token": "aa"]], world)
    await set([["token": "bb", "kind": "lamp"], ["token": "cc"]], at: Self.controls, world)
    #expect(
      await reload(world) == [
        "tokens": 1, "sent": 1, "held": 0, "gone": 0, "failed": 0, "outcomes": [],
      ])
    #expect(await reload(world, "controls", ["targets": "*"])["sent"] == 2)
    let lamps = await reload(world, "controls", ["targets": "*", "kinds": ["lamp"]])
    #expect(lamps["sent"] == 1)
    // Who has no widget gets nothing.
    #expect(await reload(world, "widgets", ["devices": ["other", "none"]])["tokens"] == 0)
    let taken = world.fixture.apple.taken
    #expect(taken.map(\.push.deviceToken) == ["aa", "bb", "cc", "bb"])
    for (push, type) in zip(taken.map(\.push), ["widgets", "controls", "controls", "controls"]) {
      #expect(push.topic == "com.example.weather.push-type.\(type)")
      #expect(push.pushType.rawValue == type)
    }
    #expect(taken.allSatisfy { $0.payload == ["aps": ["content-changed": true]] })
    let entries = await world.request("GET", "/v6/audit", role: .admin).json["entries"]?.array
    let own = (entries ?? []).filter { $0["action"] == "reload.send" }
    #expect(own.map { $0["object"] } == ["controls", "controls", "widgets"])
  }

  @Test("a token that APNs refuses is removed, and one that fails for another reason stays")
  func refusedByAPNs() async throws {
    let world = try await ActivityWorld()
    await set(
      [["token": "aa"], ["token": "bb"], ["token": "cc"], ["token": "dd"]], at: Self.controls,
      world)
    world.fixture.apple.answer { push in
      switch push.deviceToken {
      case "aa": APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
      case "bb": APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
      case "cc":
        APNsOutcome(kind: .answered, status: 503, reason: .serviceUnavailable, apnsID: push.id)
      default: APNsOutcome(kind: .neverSent, apnsID: push.id, message: "no connection")
      }
    }
    let answer = await reload(world, "controls")
    #expect(answer["gone"] == 2 && answer["failed"] == 2 && answer["sent"] == 0)
    let outcomes = answer["outcomes"]?.array ?? []
    #expect(outcomes.map { $0["result"] } == ["gone", "gone", "failed", "failed"])
    #expect(
      outcomes.map { $0["reason"] } == [
        "Unregistered", "BadDeviceToken", "ServiceUnavailable", "Unreachable",
      ])
    #expect(outcomes.allSatisfy { $0["device_id"] == "phone" && $0["advice"]?.string != nil })
    #expect(await tokens(world) == ["controls cc", "controls dd"])
    // The unknown token was tried on both hosts.
    let tries = world.fixture.apple.taken.filter { $0.push.deviceToken == "bb" }
    #expect(tries.map(\.isDevelopment) == [false, true])
  }

  @Test("a token of Apple's development host is found there, and the device is remembered")
  func development() async throws {
    let world = try await ActivityWorld()
    await set([["token": "aa"]], world)
    let apple = world.fixture.apple
    apple.answer { [apple] push in
      apple.taken.last?.isDevelopment == true
        ? APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
    }
    for _ in 0..<2 { #expect(await reload(world)["sent"] == 1) }
    #expect(apple.taken.map(\.isDevelopment) == [false, true, true])
    #expect(await tokens(world) == ["widgets aa"])
  }

  @Test("the seventieth reload of a day is sent, and the next one is held")
  func budget() async throws {
    let world = try await ActivityWorld()
    await set([["token": "aa"]], world)
    for _ in 0..<ReloadBudget.limit { #expect(await reload(world)["sent"] == 1) }
    let held = await reload(world)
    #expect(held["held"] == 1 && held["sent"] == 0)
    let outcome = held["outcomes"]?.array?.first
    #expect(outcome?["reason"] == "ReloadBudget" && outcome?["status"] == .null)
    #expect(outcome?["advice"]?.string?.contains("40 to 70 times in 24 hours") == true)
    #expect(world.fixture.apple.taken.count == ReloadBudget.limit)
    world.fixture.clock.advance(by: ReloadBudget.window)
    #expect(await reload(world)["sent"] == 1)
  }
}
