import APNs
import Foundation
import PushCrypto
import PushModel
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("The proof of a device's user", .timeLimit(.minutes(10)))
struct UserProofTests {
  /// The token of a request.
  enum Proof: String, CaseIterable { case none, valid, other, expired, invalid }

  static let body = #"{"device":{"user_id":"ada","user_email":"ada@example.com","tags":["t"]}}"#

  /// An app with an identity key, and tokens that are signed with it.
  private struct World {
    let fixture: Fixture
    let key: any ES256PrivateKey

    init(_ identity: App.Identity = .required) async throws {
      fixture = try await Fixture()
      let pem = OpenSSLCrypto.makeP256KeyPEM()
      key = try OpenSSLCrypto().privateKey(pem: pem)
      let publicPEM = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem)
      let body: JSONValue = ["identity_key": ["public_key": .string(publicPEM)]]
      let path = "/v6/apps/\(fixture.app.id)"
      let made = await fixture.request(
        "POST", path + "/identity_keys", role: .admin, body: body.text)
      #expect(made.status == 201, "\(made.text)")
      let changed = await fixture.request(
        "PUT", path, role: .admin, body: #"{"app":{"identity":"\#(identity.rawValue)"}}"#)
      #expect(changed.json["app"]?["identity"] == .string(identity.rawValue))
    }

    func token(_ claims: [String: JSONValue]) throws -> String {
      let all: [String: JSONValue] = [
        "sub": "ada", "email": "ada@example.com", "aud": "com.example.weather",
        "exp": .integer(fixture.clock.now.milliseconds / 1000 + 3600),
      ]
      let claims = JSONValue.object(all.merging(claims) { $1 })
      let signed =
        Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "." + Base64URL.encode(claims.bytes)
      return try signed + "." + Base64URL.encode(key.signature(for: Array(signed.utf8)))
    }

    func token(_ proof: Proof) throws -> String? {
      switch proof {
      case .none: nil
      case .valid: try token([:])
      case .other: try token(["sub": "bob", "email": "bob@example.com"])
      case .expired: try token(["exp": .integer(fixture.clock.now.milliseconds / 1000 - 60)])
      case .invalid: "not.a.token"
      }
    }

    func put(
      _ body: String, token: String?, secret: String? = nil, role: APIKey.Role? = .device,
      device: String = "d"
    ) async -> Fixture.Answer {
      var headers = [("Content-Type", "application/json")]
      if let token { headers.append((UserProof.header, token)) }
      if let secret { headers.append((DeviceClaim.secretHeader, secret)) }
      return await fixture.request(
        "PUT", "/v6/devices/\(device)", role: role, body: body, headers: headers)
    }

    func device(_ id: String = "d") async throws -> Device? {
      try await fixture.store.device(id, app: fixture.app.id)
    }
  }

  @Test(
    "a device key names a user only with a proof; other keys need none",
    arguments: App.Identity.allCases)
  func matrix(identity: App.Identity) async throws {
    let world = try await World(identity)
    var number = 0
    for role in [APIKey.Role.device, .push, .admin, .analytics, .server, nil] {
      for state in DeviceSecretTests.State.allCases where state != .erased {
        for secret in [nil, DeviceSecretTests.own] {
          for proof in Proof.allCases {
            number += 1
            let id = "d\(number)"
            if state != .unknown {
              try await world.fixture.bind(
                id,
                to: state == .own
                  ? DeviceSecretTests.own : state == .other ? DeviceSecretTests.other : nil)
            }
            let answer = await world.put(
              Self.body, token: try world.token(proof), secret: secret, role: role, device: id)
            let label: Comment =
              "\(role?.rawValue ?? "nobody") \(state) \(secret == nil) \(proof): \(answer.text)"
            let isAdmitted =
              role != .device || state == .unbound || state == .unknown
              || state == .own && secret != nil
            let status =
              role == nil
              ? 401 : [.analytics, .server].contains(role) || !isAdmitted ? 403 : 200
            #expect(answer.status == status, label)
            let isTaken =
              status == 200 && (role != .device || identity != .required || proof == .valid)
            let device = try await world.device(id)
            #expect(device?.userID == (isTaken ? "ada" : nil), label)
            #expect(device?.userEmail == (isTaken ? "ada@example.com" : nil), label)
            #expect(device?.tags ?? [] == (status == 200 ? ["t"] : []), label)
            let dropped = answer.json["dropped"]?.array?.map { $0["path"] }
            let paths: [JSONValue?] = ["$.device.user_id", "$.device.user_email"]
            #expect(dropped == (status == 200 ? isTaken ? [] : paths : nil), label)
            world.fixture.clock.advance(by: .milliseconds(100))
          }
        }
      }
    }
  }

  @Test("each part of the user is proven by its own claim, byte for byte")
  func parts() async throws {
    let world = try await World()
    let rows: [(body: String, claims: [String: JSONValue], dropped: [String])] = [
      (#""user_id":"ada""#, [:], []), (#""user_id":"Ada""#, [:], ["user_id"]),
      (#""user_email":"ada@example.com""#, [:], []),
      (#""user_email":"ADA@example.com""#, [:], ["user_email"]),
      (#""user_id":"ada","user_email":"b@example.com""#, [:], ["user_email"]),
      (#""user_id":"bob","user_email":"ada@example.com""#, [:], ["user_id"]),
      // Two spellings of one text, which Swift takes for equal, may be two users.
      (#""user_id":"\u00e9""#, ["sub": "\u{e9}"], []),
      (#""user_id":"\u00e9""#, ["sub": "e\u{301}"], ["user_id"]),
      (#""user_id":"\u212a""#, ["sub": "K"], ["user_id"]),
    ]
    for (number, row) in rows.enumerated() {
      let answer = await world.put(
        "{\"device\":{\(row.body)}}", token: try world.token(row.claims), device: "d\(number)")
      #expect(answer.status == 200)
      let dropped = answer.json["dropped"]?.array?.map { $0["path"]?.string ?? "" }
      #expect(dropped == row.dropped.map { "$.device." + $0 }, "\(row.body)")
      for part in answer.json["dropped"]?.array ?? [] {
        #expect(part["reason"]?.string?.hasSuffix("of Martlet-User-Token") == true)
      }
    }
    // A token without an address proves none.
    let none = await world.put(
      #"{"device":{"user_email":"null"}}"#, token: try world.token(["email": "x"]))
    #expect(none.json["dropped"]?.array?.count == 1)
  }

  @Test(
    "a device key sets the attribute sid, which names a person, only where no proof is required",
    arguments: App.Identity.allCases)
  func profile(identity: App.Identity) async throws {
    let world = try await World(identity)
    let text: JSONValue = ["type": "string", "value": "s-1"]
    let body: JSONValue = [
      "device": ["tags": ["t"], "user_attributes": ["plan": text, "sid": text]]
    ]
    let sid = body.text
    let dropped: JSONValue = [
      [
        "path": "$.device.user_attributes.sid",
        "reason": "names a user, and is taken only from a push key",
      ]
    ]
    func sync(_ device: String, _ role: APIKey.Role, _ body: String) async -> Fixture.Answer {
      await world.fixture.request(
        "POST", "/v6/devices/\(device)/sync", role: role, body: body,
        headers: [("Content-Type", "application/json")])
    }
    let answers: [(String, APIKey.Role, Fixture.Answer)] = await [
      ("d1", .device, world.put(sid, token: nil, device: "d1")),
      ("d2", .device, sync("d2", .device, sid)),
      ("d3", .push, world.put(sid, token: nil, role: .push, device: "d3")),
      // A push key reports nothing for a device.
      ("d4", .admin, sync("d4", .admin, sid)),
    ]
    for (id, role, answer) in answers {
      let isTaken = role != .device || identity != .required
      #expect(answer.status == 200, "\(id): \(answer.text)")
      #expect(answer.json["dropped"] == (isTaken ? [] : dropped), "\(id): \(answer.text)")
      let device = try #require(try await world.device(id))
      #expect(device.attributes.keys.sorted() == (isTaken ? ["plan", "sid"] : ["plan"]), "\(id)")
      #expect(device.tags == ["t"], "\(id)")
    }
    // What an app takes away leaves a device with nobody's pushes.
    let gone = await world.put(
      #"{"device":{"user_attributes":{"sid":null}}}"#, token: nil, device: "d3")
    #expect(gone.json["dropped"] == [])
    #expect(try await world.device("d3")?.attributes.keys.sorted() == ["plan"])
  }

  @Test("the answer says what is wrong with the token, and nothing of it")
  func reasons() async throws {
    let world = try await World()
    func reason(_ token: String?) async -> String? {
      let answer = await world.put(#"{"device":{"user_id":"ada"}}"#, token: token)
      #expect(answer.status == 200)
      return answer.json["dropped"]?.array?.first?["reason"]?.string
    }
    #expect(
      await reason(nil) == "is taken from a device key only with the header Martlet-User-Token")
    #expect(
      await reason(try world.token(.expired)) == "is not proven: Martlet-User-Token has expired")
    #expect(await reason("x")?.hasPrefix("is not proven: Martlet-User-Token must be three") == true)
    #expect(
      await reason(String(repeating: "x", count: 4097))
        == "is not proven: Martlet-User-Token is longer than 4096 bytes")
    // With the key removed its tokens prove nothing.
    let path = "/v6/apps/\(world.fixture.app.id)/identity_keys"
    let keys = await world.fixture.request("GET", path, role: .admin)
    let id = keys.json["identity_keys"]?.array?.first?["id"]?.string ?? ""
    #expect(await reason(try world.token(.valid)) == nil)
    #expect(
      await world.fixture.request("DELETE", path + "/" + id, role: .admin).status == 200)
    #expect(
      await reason(try world.token(.valid))
        == "is not proven: Martlet-User-Token cannot be verified: the app has no identity key")
  }

  @Test("a user is removed without a proof, and stays where a new one is not proven")
  func removal() async throws {
    let world = try await World()
    #expect(await world.put(Self.body, token: try world.token(.valid)).status == 200)
    let other = await world.put(#"{"device":{"user_id":"bob"}}"#, token: nil)
    #expect(other.json["dropped"]?.array?.count == 1)
    #expect(try await world.device()?.userID == "ada")
    let gone = await world.put(#"{"device":{"user_id":null,"user_email":null}}"#, token: nil)
    #expect(gone.json["dropped"] == [])
    #expect(try await world.device()?.userID == nil)
    #expect(try await world.device()?.userEmail == nil)
  }

  @Test("what is proven, reported and dropped is counted")
  func counted() async throws {
    func counts(_ world: World) -> [Substring] {
      MetricsPage(version: "0").text(world.fixture.router.metrics).text.split(separator: "\n")
        .filter { $0.hasPrefix("martlet_user_claims_total{") }
    }
    let report = try await World(.report)
    _ = await report.put(Self.body, token: nil)
    _ = await report.put(Self.body, token: try report.token(.valid))
    _ = await report.put(#"{"device":{"user_id":"bob"}}"#, token: try report.token(.valid))
    #expect(
      counts(report) == [
        "martlet_user_claims_total{result=\"proven\"} 2",
        "martlet_user_claims_total{result=\"unproven\"} 3",
        "martlet_user_claims_total{result=\"dropped\"} 0",
      ])
    let required = try await World()
    _ = await required.put(Self.body, token: nil)
    #expect(counts(required).last == "martlet_user_claims_total{result=\"dropped\"} 2")
    let off = try await World(.off)
    _ = await off.put(Self.body, token: nil)
    #expect(counts(off).allSatisfy { $0.hasSuffix(" 0") })
  }

  @Test("a stranger with the device key receives nobody's pushes")
  func attack() async throws {
    let world = try await World()
    let fixture = world.fixture
    let secret = Base64URL.encode(OpenSSLCrypto.randomBytes(32))
    let phone = #"{"device":{"push_token":"aa","user_id":"ada"}}"#
    _ = await world.put(phone, token: try world.token(.valid), secret: secret, device: "phone")
    // A device of one's own as somebody else's, another's id, and a token of one's own for it.
    let stolen = #"{"device":{"push_token":"6666","user_id":"ada"}}"#
    #expect(await world.put(stolen, token: nil, device: "mine").status == 200)
    #expect(await world.put(stolen, token: try world.token(.other), device: "mine").status == 200)
    #expect(await world.put(stolen, token: nil, device: "phone").status == 403)
    let unsealed = #"{"device":{"public_key":null}}"#
    #expect(await world.put(unsealed, token: nil, device: "phone").status == 403)
    let sent = await fixture.send(
      ["alert": "Hi"], to: [["name": "user_id", "criteria": ["ada"]]])
    #expect(sent.status == 201)
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.map(\.push.deviceToken) == ["aa"])
  }

  @Test("an app lists, adds and removes its identity keys, two at most")
  func keys() async throws {
    let fixture = try await Fixture()
    let path = "/v6/apps/\(fixture.app.id)/identity_keys"
    func add(_ pem: String, role: APIKey.Role? = .admin) async -> Fixture.Answer {
      let body: JSONValue = ["identity_key": ["public_key": .string(pem)]]
      return await fixture.request("POST", path, role: role, body: body.text)
    }
    let privatePEM = OpenSSLCrypto.makeP256KeyPEM()
    let first = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: privatePEM)
    for role in [APIKey.Role.push, .analytics, .device] {
      #expect(await add(first, role: role).status == 403)
    }
    #expect(await add(first, role: nil).status == 401)
    for (pem, status) in [
      (privatePEM, 422), ("", 422), ("-----BEGIN PUBLIC KEY-----", 422),
      (String(repeating: "x", count: 4097), 422),
      // Of another curve.
      (CurveKey.generate(.p384).publicPEM, 422), (CurveKey.generate(.ed25519).publicPEM, 422),
    ] {
      let refused = await add(pem)
      #expect(refused.status == status && refused.error.hasPrefix("$.identity_key.public_key"))
    }
    // A private key in the same file is not stored.
    let made = await add(privatePEM + first + "a comment")
    #expect(made.status == 201)
    #expect(made.json["identity_key"]?["public_key"] == .string(first))
    #expect(await add(first).status == 409)
    fixture.clock.advance(by: .seconds(1))
    let second = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
    #expect(await add(second, role: .server).status == 201)
    let third = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
    #expect(await add(third).status == 409)
    let list = await fixture.request("GET", path, role: .admin)
    #expect(
      list.json["identity_keys"]?.array?.map { $0["public_key"] } == [
        .string(first), .string(second),
      ])
    let id = made.json["identity_key"]?["id"]?.string ?? ""
    #expect(await fixture.request("DELETE", path + "/none", role: .admin).status == 404)
    #expect(await fixture.request("DELETE", path + "/" + id, role: .push).status == 403)
    #expect(await fixture.request("DELETE", path + "/" + id, role: .admin).status == 200)
    #expect(await add(third).status == 201)
    let other = try await fixture.makeOtherApp()
    let elsewhere = "/v6/apps/\(other.app.id)/identity_keys"
    #expect(await fixture.request("GET", elsewhere, role: .admin).status == 403)
    let actions = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 9).elements
      .map(\.action)
    #expect(actions.filter { $0 == "identity_key.create" }.count == 3)
    #expect(actions.filter { $0 == "identity_key.delete" }.count == 1)
  }

  @Test("an app's identity is one of three words, and required at first")
  func words() async throws {
    let fixture = try await Fixture()
    #expect(fixture.app.identity == .required)
    let path = "/v6/apps/\(fixture.app.id)"
    let wrong = await fixture.request(
      "PUT", path, role: .admin, body: #"{"app":{"identity":"on"}}"#)
    #expect(wrong.status == 422)
    #expect(wrong.error == "$.app.identity must be one of required, report, off")
    let named = await fixture.request("PUT", path, role: .admin, body: #"{"app":{"name":"N"}}"#)
    #expect(named.json["app"]?["identity"] == "required")
    let pem = JSONValue.string(OpenSSLCrypto.makeP256KeyPEM()).text
    for (member, identity) in [("", "required"), (#","identity":"off""#, "off")] {
      let made = await fixture.request(
        "POST", "/v6/apps", role: .server,
        body: #"{"app":{"bundle_id":"com.example.a","team_id":"TEAM123456","#
          + #""key_id":"KEY1234567","private_key":"# + pem + member + "}}")
      let id = made.json["id"]?.string ?? ""
      #expect(try await fixture.store.app(id)?.identity.rawValue == identity)
    }
  }
}
