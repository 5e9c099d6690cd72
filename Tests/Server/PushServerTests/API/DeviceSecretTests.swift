import Foundation
import PushCrypto
import PushModel
import PushPayload
import Testing
import _OpenSSLCrypto

@testable import PushServer

/// Every route that a device key may call, by every role, for devices in every state, with and
/// without a secret.
@Suite("Devices' own secrets", .timeLimit(.minutes(10)))
struct DeviceSecretTests {
  static let own = Base64URL.encode([UInt8](repeating: 0xa5, count: 32))
  static let other = Base64URL.encode([UInt8](repeating: 0xa5, count: 31) + [0xa4])

  /// What is known of the device that a request acts for.
  enum State: String, CaseIterable { case unknown, unbound, own, other, erased }

  /// The secret in a request.
  enum Shown: String, CaseIterable {
    case none, right, malformed
    var header: String? {
      switch self {
      case .none: nil
      case .right: DeviceSecretTests.own
      case .malformed: DeviceSecretTests.own + "="
      }
    }
  }

  static let routes = Router.routes.filter { $0.access?.admits(.device) == true }

  @Test("every route that a device key may call says which devices it acts for")
  func declared() {
    #expect(Self.routes.count >= 16)
    for route in Self.routes {
      let isNamed = if case .none = route.devices { false } else { true }
      #expect(isNamed, "\(route.method) \(route.path)")
    }
    // Of the routes for other keys none is left out by mistake.
    let admitted = Set(Self.routes.map { "\($0.method) \($0.path)" })
    for path in [
      "/v6/devices/{device_id}/secret", "/v6/users/{user_id}", "/v6/devices/uninstalled",
    ] {
      #expect(!admitted.contains { $0.hasSuffix(path) })
    }
  }

  @Test(
    "a device key acts for a device only with its secret",
    arguments: routes.map { "\($0.method) \($0.path)" })
  func matrix(name: String) async throws {
    let route = try #require(Self.routes.first { "\($0.method) \($0.path)" == name })
    let fixture = try await Fixture()
    let message = try await Self.addMessage(fixture)
    var number = 0
    for state in State.allCases {
      for shown in Shown.allCases {
        for role in APIKey.Role.allCases + [nil] {
          number += 1
          let id = "d\(number)"
          try await Self.prepare(id, state, fixture)
          let before = try await fixture.store.device(id, app: fixture.app.id)
          let answer = await Self.request(
            route, device: id, message: message, shown, role, from: "192.0.2.\(number % 250)",
            fixture)
          let label: Comment = "\(state) \(shown) \(role?.rawValue ?? "nobody"): \(answer.text)"
          switch Self.expected(route, state, shown, role) {
          case .status(let status):
            #expect(answer.status == status, label)
            if status == 403 { #expect(answer.text == RolesTests.forbidden, label) }
            let after = try await fixture.store.device(id, app: fixture.app.id)
            #expect(after == before, label)
          case .passed: #expect(![401, 403, 422, 451].contains(answer.status), label)
          }
        }
      }
    }
  }

  enum Expected {
    /// The request is refused, and changes nothing.
    case status(Int)
    /// The handler is called.
    case passed
  }

  static func expected(
    _ route: Route, _ state: State, _ shown: Shown, _ role: APIKey.Role?
  ) -> Expected {
    guard let role else { return .status(401) }
    guard route.access?.admits(role) == true else { return .status(403) }
    let isUpdate =
      route.method == "PUT" || route.path.hasSuffix("/events") || route.path.hasSuffix("/sync")
    if role != .device { return isUpdate && state == .erased ? .status(451) : .passed }
    if shown == .malformed { return .status(422) }
    if case .ownDevice? = route.access {
      if state == .erased { return .status(451) }
      return state == .own && shown == .right ? .passed : .status(403)
    }
    switch state {
    case .own: return shown == .right ? .passed : .status(403)
    case .other: return .status(403)
    case .erased: return isUpdate ? .status(451) : .passed
    case .unknown, .unbound: return .passed
    }
  }

  private static func prepare(_ id: String, _ state: State, _ fixture: Fixture) async throws {
    guard state != .unknown else { return }
    let secret: String? = state == .own ? own : state == .other ? other : nil
    try await fixture.bind(id, to: secret)
    if state == .erased {
      _ = try await fixture.store.erase(device: id, app: fixture.app.id, at: fixture.clock.now)
    }
  }

  private static func addMessage(_ fixture: Fixture) async throws -> String {
    let message = Message(
      id: "message", app: fixture.app.id, audience: "a", title: "Hi", content: [:],
      createdAt: fixture.clock.now, unpublishAt: fixture.clock.now + .seconds(86_400))
    try await fixture.store.add(message)
    return message.id
  }

  private static func request(
    _ route: Route, device: String, message: String, _ shown: Shown, _ role: APIKey.Role?,
    from address: String, _ fixture: Fixture
  ) async -> Fixture.Answer {
    let path = route.path.replacing("{device_id}", with: device)
      .replacing("{message_id}", with: message).replacing("{activity_id}", with: "order-1")
      .replacing("{activity_type}", with: "Order")
    let body =
      switch (route.method, route.path) {
      case ("PUT", let path) where path.hasSuffix("/start-token"): #"{"token":"00ff"}"#
      case ("PUT", let path) where path.contains("/reload-tokens/"):
        #"{"tokens":[{"token":"00ff"}]}"#
      case ("PUT", let path) where path.contains("/tokens/"):
        #"{"token":"00\#(device.utf8.map { String($0, radix: 16) }.joined())","type":"Order"}"#
      case ("PUT", _): #"{"device":{"tags":["new"]}}"#
      case (_, let path) where path.hasSuffix("/sync"): #"{"device":{"tags":["new"]}}"#
      case (_, let path) where path.hasSuffix("/read"): #"{"ids":["message"]}"#
      case (_, "/v6/receipts"):
        #"{"receipts":[{"id":"r-\#(device)","notification_id":"n","device_id":"\#(device)","#
          + #""event":"displayed","at":"2023-11-14"}]}"#
      case (_, let path) where path.hasSuffix("/impressions"):
        #"{"impression":{"device_id":"\#(device)","kind":0}}"#
      case (_, let path) where path.hasSuffix("/events"): #"{"events":[{"name":"plays"}]}"#
      default: ""
      }
    var headers = body.isEmpty ? [] : [("Content-Type", "application/json")]
    if let secret = shown.header { headers.append((DeviceClaim.secretHeader, secret)) }
    return await fixture.request(
      route.method, path, role: role, body: body, headers: headers, from: address)
  }

  @Test("receipts of several devices need the secret of each")
  func receipts() async throws {
    let fixture = try await Fixture()
    try await fixture.bind("own", to: Self.own)
    try await fixture.bind("other", to: Self.other)
    try await fixture.bind("free", to: nil)
    func post(_ devices: [String], _ secret: String?) async -> Int {
      let receipts = devices.map { id in
        #"{"id":"r-\#(id)","notification_id":"n","device_id":"\#(id)","event":"displayed","#
          + #""at":"2023-11-14"}"#
      }
      return await fixture.request(
        "POST", "/v6/receipts", role: .device,
        body: #"{"receipts":[\#(receipts.joined(separator: ","))]}"#,
        headers: [("Content-Type", "application/json")]
          + (secret.map { [(DeviceClaim.secretHeader, $0)] } ?? [])
      ).status
    }
    #expect(await post(["own", "free", "nobody"], Self.own) == 202)
    #expect(await post(["free", "nobody"], nil) == 202)
    for (devices, secret) in [
      (["free", "own"], nil), (["own", "other"], Self.own), (["own", "other"], Self.other),
    ] {
      #expect(await post(devices, secret) == 403)
    }
    // A request that the handler refuses stays one.
    #expect(await post([], nil) == 422)
    let many = await post(Array(repeating: "free", count: 1001) + ["other"], nil)
    #expect(many == 422)
  }

  @Test("a device from before gets the first secret, and a push key resets it")
  func life() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let body = #"{"device":{"locale":"de"}}"#
    func put(_ secret: String?) async -> Fixture.Answer {
      await fixture.request(
        "PUT", "/v6/devices/d", role: .device, body: body,
        headers: [("Content-Type", "application/json")]
          + (secret.map { [("martlet-device-secret", $0)] } ?? []))
    }
    #expect(await put(nil).status == 200)
    #expect(await put(Self.own).status == 200)
    #expect(await put(nil).status == 403)
    #expect(await put(Self.other).status == 403)
    #expect(await put(Self.own).text == #"{"device":{"id":"d"},"dropped":[]}"#)
    // Only the hash is stored.
    let stored = try await fixture.store.device("d", app: fixture.app.id)?.secretHash
    #expect(stored == OpenSSLCrypto.sha256([UInt8](repeating: 0xa5, count: 32)))

    let path = "/v6/devices/d/secret"
    for role in [APIKey.Role.device, .analytics, .server] {
      #expect(await fixture.request("DELETE", path, role: role).status == 403)
    }
    #expect(await fixture.request("DELETE", "/v6/devices/no/secret").status == 404)
    let reset = await fixture.request("DELETE", path)
    #expect(reset.status == 200 && reset.text == #"{"device":{"id":"d"}}"#)
    let audit = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 5).elements
    #expect(audit.filter { $0.action == "device.reset_secret" && $0.object == "d" }.count == 1)
    #expect(await put(Self.other).status == 200)
    #expect(await put(Self.own).status == 403)
    let erased = await fixture.request(
      "DELETE", "/v6/devices/d", role: .device, headers: [(DeviceClaim.secretHeader, Self.other)])
    #expect(erased.status == 200 && erased.json["device"]?["erased_at"]?.string != nil)
    #expect(await fixture.request("DELETE", path).status == 451)
  }

  @Test(
    "a header that is no secret is refused",
    arguments: [
      "", "short", own + "=", " " + own + "A", String(own.dropLast()), own + "AA",
      String(repeating: "A", count: 42) + "B", String(repeating: "+", count: 43),
      String(repeating: "A", count: 100_000),
    ])
  func malformed(header: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "PUT", "/v6/devices/d", role: .device, body: #"{"device":{"tags":[]}}"#,
      headers: [("Content-Type", "application/json"), (DeviceClaim.secretHeader, header)])
    #expect(answer.status == 422)
    #expect(
      answer.error
        == "Martlet-Device-Secret must be base64url of 32 bytes, without padding")
    #expect(try await fixture.store.device("d", app: fixture.app.id) == nil)
  }

  @Test("with its secret a device reads itself and its messages, and no other device")
  func reading() async throws {
    let fixture = try await Fixture()
    try await fixture.bind("own", to: Self.own)
    try await fixture.bind("other", to: Self.other)
    let message = await fixture.request(
      "POST", "/v6/messages", body: #"{"message":{"to":"*","title":"Hi"}}"#)
    #expect(message.status == 201)
    let headers = [(DeviceClaim.secretHeader, Self.own)]
    let device = await fixture.request("GET", "/v6/devices/own", role: .device, headers: headers)
    #expect(device.json["devices"]?["id"] == "own")
    let list = await fixture.request(
      "GET", "/v6/devices/own/messages", role: .device, headers: headers)
    #expect(list.json["messages"]?.array?.map { $0["title"] } == ["Hi"])
    #expect(list.json["messages"]?.array?.first?["is_read"] == false)
    for path in ["/v6/devices/other", "/v6/devices/other/messages", "/v6/devices/nobody"] {
      let refused = await fixture.request("GET", path, role: .device, headers: headers)
      #expect(refused.text == RolesTests.forbidden)
    }
  }

  @Test("keys for encrypted payloads change only with the secret, and are listed otherwise")
  func sealing() async throws {
    let fixture = try await Fixture()
    func put(_ key: String?, _ secret: String? = nil) async -> Fixture.Answer {
      let value = key.map { "\"\(String(repeating: $0, count: 87))\"" } ?? "null"
      let auth = key.map { "\"\(String(repeating: $0, count: 22))\"" } ?? "null"
      return await fixture.request(
        "PUT", "/v6/devices/d", role: .device,
        body: #"{"device":{"public_key":\#(value),"auth_secret":\#(auth),"locale":"de"}}"#,
        headers: [("Content-Type", "application/json")]
          + (secret.map { [(DeviceClaim.secretHeader, $0)] } ?? []))
    }
    func key() async throws -> Character? {
      try await fixture.store.device("d", app: fixture.app.id)?.publicKey?.first
    }
    #expect(await put("A").json["dropped"] == [])
    #expect(await put("A").json["dropped"] == [])
    for other in ["B", nil] {
      let reason = "changes only with the header Martlet-Device-Secret"
      #expect(
        await put(other).json["dropped"] == [
          ["path": "$.device.public_key", "reason": .string(reason)],
          ["path": "$.device.auth_secret", "reason": .string(reason)],
        ])
      #expect(try await key() == "A")
    }
    #expect(await put("C", Self.own).json["dropped"] == [])
    #expect(try await key() == "C")
    #expect(await put(nil).status == 403)
    #expect(try await key() == "C")
    #expect(await put(nil, Self.own).json["dropped"] == [])
    #expect(try await key() == nil)
  }
}

extension Fixture {
  /// Makes a device that has a secret, or none.
  func bind(_ id: String, to secret: String?) async throws {
    let hash = secret.flatMap { Base64URL.decode($0) }.map { OpenSSLCrypto.sha256($0) }
    _ = try await store.update(
      device: id, app: app.id, DevicePatch(), by: .app(secretHash: hash, deviceLimit: .max),
      at: clock.now)
  }
}
