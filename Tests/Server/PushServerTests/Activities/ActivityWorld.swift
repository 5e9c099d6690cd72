import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

/// An app with phones that have a secret, and with an API whose channels are a fake Apple's.
struct ActivityWorld {
  let fixture: Fixture
  let router: Router
  let metrics = ServerMetrics()

  /// `clock` is that of a server beside the API; `nil` takes the fixture's.
  init(phones: [String] = ["phone"], clock: ServerClock? = nil) async throws {
    fixture = try await Fixture()
    router = Router(
      Actions(
        store: fixture.store, secretKey: fixture.secretKey,
        clock: clock ?? fixture.clock.serverClock, metrics: metrics, sender: fixture.apple))
    for phone in phones { try await fixture.bind(phone, to: DeviceSecretTests.own) }
  }

  func request(
    _ method: String, _ path: String, _ body: JSONValue? = nil, role: APIKey.Role = .push,
    headers: [(String, String)] = []
  ) async -> Fixture.Answer {
    await fixture.request(
      method, path, role: role, body: body?.text ?? "",
      headers: headers + (body == nil ? [] : [("Content-Type", "application/json")]), to: router)
  }

  /// A request with the device key and the phone's secret.
  func ask(
    _ method: String, _ path: String, _ body: JSONValue? = nil,
    secret: String? = DeviceSecretTests.own
  ) async -> Fixture.Answer {
    let headers = secret.map { [(DeviceClaim.secretHeader, $0)] } ?? []
    return await request(method, path, body, role: .device, headers: headers)
  }

  /// Registers a phone's token for updates of an activity.
  func follow(_ activity: String, on phone: String = "phone", token: String) async throws {
    let answer = await ask(
      "PUT", "/v6/activities/\(activity)/tokens/\(phone)",
      ["token": .string(token), "type": "OrderAttributes"])
    #expect(answer.status == 204, "\(answer.text)")
  }

  /// Registers a phone's push-to-start token.
  func offer(_ phone: String = "phone", token: String) async throws {
    let answer = await ask(
      "PUT", "/v6/devices/\(phone)/activities/OrderAttributes/start-token",
      ["token": .string(token)])
    #expect(answer.status == 204, "\(answer.text)")
  }

  func push(
    _ activity: JSONValue, to id: String = "order-1", key: String? = nil
  ) async -> Fixture.Answer {
    await request(
      "POST", "/v6/activities/\(id)/notifications", ["activity": activity],
      headers: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  func activity(_ id: String = "order-1") async -> JSONValue {
    await request("GET", "/v6/activities/\(id)").json["activity"] ?? .null
  }

  /// Delivers all that is due; what Apple asks to retry is sent after the wait.
  func deliver(_ sender: (any PushSender)? = nil) async {
    let dispatcher = fixture.dispatcher(sender)
    while !Task.isCancelled, let wait = await dispatcher.sendDueBatches() {
      fixture.clock.advance(by: wait)
    }
  }

  static let update: JSONValue = ["event": "update", "content_state": ["status": "baking"]]
  static let start: JSONValue = [
    "event": "start", "type": "OrderAttributes", "devices": ["phone"],
    "attributes": ["number": 7], "content_state": ["status": "cooking"],
    "alert": ["title": "Your order", "body": "The kitchen has begun", "sound": "ding.caf"],
  ]
}

extension JSONValue {
  /// The object with members replaced; `null` removes one.
  func with(_ members: [String: JSONValue]) -> JSONValue {
    var object = object ?? [:]
    for (name, value) in members { object[name] = value.isNull ? nil : value }
    return .object(object)
  }
}
