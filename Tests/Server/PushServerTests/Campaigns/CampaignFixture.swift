import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

/// An app with devices, a campaign, and the steps that its tests share.
struct CampaignFixture {
  let fixture: Fixture
  var runner: CampaignRunner { fixture.router.actions.campaignRunner }
  private let bodyType = [("Content-Type", "application/json")]

  init(devices: Int) async throws {
    fixture = try await Fixture()
    let imported = (0..<devices).map { number in
      ImportedDevice(id: "d\(number)", token: Fixture.token("d\(number)"), patch: DevicePatch())
    }
    try await fixture.store.importDevices(imported, app: fixture.app.id, at: fixture.clock.now)
  }

  static let twoVariants: JSONValue = [
    ["key": "a", "share": 45, "payload": ["alert": "Variant A"]],
    ["key": "b", "share": 45, "payload": ["alert": "Variant B"]],
    ["key": "control", "share": 10],
  ]

  static func document(_ members: [String: JSONValue] = [:]) -> JSONValue {
    let base: [String: JSONValue] = [
      "name": "Autumn", "labels": ["sale"], "to": "*", "variants": twoVariants,
    ]
    return ["campaign": .object(base.merging(members) { $1 })]
  }

  static let test: JSONValue = ["sample": 50, "metric": "opens", "decide_after": "PT4H"]

  func post(_ path: String, _ body: JSONValue? = nil) async -> Fixture.Answer {
    await fixture.request(
      "POST", "/v6/\(path)", body: body?.text ?? "", headers: body == nil ? [] : bodyType)
  }

  func get(_ path: String) async -> JSONValue {
    await fixture.request("GET", "/v6/\(path)").json
  }

  func create(_ members: [String: JSONValue] = [:]) async throws -> String {
    let answer = await post("campaigns", Self.document(members))
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["campaign"]?["id"]?.string)
  }

  /// Creates and starts a campaign, and returns its id and that of its run.
  func start(_ members: [String: JSONValue] = [:]) async throws -> (campaign: String, run: String) {
    let id = try await create(members)
    let answer = await post("campaigns/\(id)/start")
    #expect(answer.status == 200 && answer.json["campaign"]?["state"] == "live", "\(answer.text)")
    let runs = await get("campaigns/\(id)/runs")["runs"]?.array
    return (id, try #require(runs?.first?["id"]?.string))
  }

  func run(_ id: String) async -> JSONValue { await get("runs/\(id)")["run"] ?? .null }

  func deliver() async { _ = await fixture.dispatcher().sendDueBatches() }

  /// The pushes that each device got, by their texts.
  var received: [String: [String]] {
    fixture.apple.taken.reduce(into: [:]) { all, taken in
      all[taken.push.deviceToken, default: []].append(
        taken.payload["aps"]?["alert"]?["body"]?.string
          ?? taken.payload["aps"]?["alert"]?.string ?? "?")
    }
  }

  /// Expects that every device got as many pushes, but for those in the control of a run, which got none.
  func expectReceived(_ pushes: Int, butByControlOf run: String, of devices: Int) async throws {
    let control = try await fixture.store.devices(.control, ofRun: run, app: fixture.app.id)
    let received = received
    #expect(received.values.allSatisfy { $0.count == pushes })
    #expect(received.count == devices - control.count)
  }

  /// Reports that some devices of a variant's test opened it.
  func open(_ count: Int, of variant: String, run: String) async throws {
    let sends = try await fixture.store.sends(ofRun: run, app: fixture.app.id)
    let send = try #require(sends.first { $0.origin?.variant == variant })
    let reached = try await fixture.store.received(send.id, app: fixture.app.id, opened: nil)
    let devices = try await fixture.store.devices(
      app: fixture.app.id, numbers: DeviceNumbers(Array(reached ?? DeviceNumbers()).prefix(count)))
    let receipts = devices.map { device in
      Receipt(
        id: "r-\(device.id)", send: send.id, device: device.id, event: .opened,
        at: fixture.clock.now)
    }
    #expect(receipts.count == count)
    _ = try await fixture.store.record(receipts, app: fixture.app.id, at: fixture.clock.now)
  }
}
