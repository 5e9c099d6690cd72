import APNs
import PushPayload
import PushStore
import Testing
import _OpenSSLCrypto
import _TLS

@testable import PushServer

@Suite("The settings of an app", .timeLimit(.minutes(1)))
struct AppSettingsTests {
  private static func answering(_ status: Int, _ reason: APNsReason?) -> FakeApple.Answer {
    { APNsOutcome(kind: .answered, status: status, reason: reason, apnsID: $0.id) }
  }

  private func change(
    _ visitor: Visitor, _ more: KeyValuePairs<String, String> = [:], file: String = ""
  ) async -> Fixture.Answer {
    let app = visitor.fixture.app
    var fields = [
      "name": app.name, "bundle_id": app.bundleID, "team_id": app.teamID, "key_id": "KEY2222222",
    ]
    for (name, value) in more { fields[name] = value }
    return await visitor.upload(
      visitor.path("settings"),
      [
        "action": "change-app", "name": fields["name"] ?? "",
        "bundle_id": fields["bundle_id"] ?? "",
        "team_id": fields["team_id"] ?? "", "key_id": fields["key_id"] ?? "",
        "throttle": fields["throttle"] ?? "",
        fields["unverified"] == nil ? "verified" : "unverified": "on",
      ], file: Array(file.utf8), named: file.isEmpty ? "" : "AuthKey_KEY2222222.p8", in: "key_file")
  }

  @Test("a key that Apple knows is stored, sealed; the page never shows it")
  func good() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer(Self.answering(400, .badDeviceToken))
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("settings"))
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let answer = await change(visitor, ["name": "<b>Storm", "throttle": "250"], file: pem)
    #expect(answer.status == 200)
    #expect(answer.text.contains("Saved. Apple accepts the key."))
    #expect(answer.text.contains("&lt;b&gt;Storm") && !answer.text.contains("<b>Storm"))
    #expect(!answer.text.contains("PRIVATE KEY"))
    let app = try #require(try await fixture.store.app(fixture.app.id))
    #expect(app.name == "<b>Storm" && app.keyID == "KEY2222222" && app.throttlePerSecond == 250)
    #expect(SecretKey.hasSealed(app))
    #expect(try fixture.secretKey.privateKey(of: app) == pem)
    let asked = try #require(fixture.apple.taken.first)
    #expect(fixture.apple.taken.count == 1 && !asked.isDevelopment)
    #expect(asked.push.pushType == .background && asked.push.topic == app.bundleID)
    let log = try await fixture.store.audit(app: app.id, after: nil, limit: 9).elements
    #expect(log.first?.action == "app.update")
  }

  @Test(
    "a key that Apple refuses, or does not answer for, changes nothing, unless one says so",
    arguments: [
      (403, APNsReason.invalidProviderToken, 422), (400, .topicDisallowed, 422),
      (400, .badTopic, 422), (500, .internalServerError, 503), (429, .tooManyRequests, 503),
    ])
  func refused(status: Int, reason: APNsReason, answered: Int) async throws {
    let fixture = try await Fixture()
    fixture.apple.answer(Self.answering(status, reason))
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("settings"))
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let answer = await change(visitor, ["team_id": "TEAM999999"], file: pem)
    #expect(answer.status == answered)
    #expect(answer.text.contains("nothing is stored") && answer.text.contains(reason.rawValue))
    #expect(answer.text.contains("value=\"TEAM999999\""))
    #expect(try await fixture.store.app(fixture.app.id) == fixture.app)

    let forced = await change(visitor, ["unverified": "on"], file: pem)
    #expect(forced.status == 200 && fixture.apple.taken.count == 1)
    let app = try #require(try await fixture.store.app(fixture.app.id))
    #expect(try fixture.secretKey.privateKey(of: app) == pem)
  }

  @Test("no answer at all is 503")
  func silent() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer {
      APNsOutcome(kind: .neverSent, apnsID: $0.id, message: "no connection to Apple")
    }
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("settings"))
    let answer = await change(visitor)
    #expect(answer.status == 503 && answer.text.contains("no connection to Apple"))
    #expect(try await fixture.store.app(fixture.app.id) == fixture.app)
  }

  @Test("a key of Apple's development environment is taken, and said to be one")
  func development() async throws {
    let apple = TwoEnvironments()
    let fixture = try await Fixture()
    #expect(await KeyCheck.ask(fixture.app, apple) == .developmentOnly)
  }

  @Test("a name and a throttle are changed without asking Apple; wrong values are refused")
  func others() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("settings"))
    #expect(await change(visitor, ["key_id": fixture.app.keyID, "throttle": "1"]).status == 200)
    #expect(try await fixture.store.app(fixture.app.id)?.throttlePerSecond == 1)
    #expect(await change(visitor, ["key_id": fixture.app.keyID]).status == 200)
    #expect(try await fixture.store.app(fixture.app.id)?.throttlePerSecond == nil)
    for (field, value) in [
      ("throttle", "0"), ("throttle", "1000001"), ("throttle", "many"),
      ("name", String(repeating: "n", count: 101)), ("bundle_id", "a b"),
      ("team_id", "<script>"), ("key_id", "é"),
    ] {
      let answer = await visitor.upload(
        visitor.path("settings"), ["action": "change-app", field: value], file: [], named: "")
      #expect([400, 422].contains(answer.status) && answer.text.contains("role=\"alert\""))
      #expect(!answer.text.contains("<script>"))
    }
    #expect(await change(visitor, file: "no key").status == 422)
    #expect(fixture.apple.taken.isEmpty)
    #expect(try await fixture.store.app(fixture.app.id) == fixture.app)
  }

  @Test("of two people who change the app, the second is told of the first and loses nothing")
  func together() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture)
    func version(_ page: Fixture.Answer) throws -> String {
      try #require(
        page.text.firstMatch(of: /name="version" value="([0-9a-f]+)"/).map { String($0.1) })
    }
    func save(_ name: String, _ throttle: String, _ version: String) async -> Fixture.Answer {
      let app = fixture.app
      return await visitor.post(
        visitor.path("settings"),
        [
          "action": "change-app", "name": name, "bundle_id": app.bundleID, "team_id": app.teamID,
          "key_id": app.keyID, "throttle": throttle, "version": version,
        ])
    }
    let first = try version(await visitor.get(visitor.path("settings")))
    #expect(await save("Ann's", "", first).status == 200)
    let second = await save(fixture.app.name, "250", first)
    #expect(second.status == 409 && second.text.contains("somebody else changed this app"))
    #expect(second.text.contains("value=\"250\"") && second.text.contains("<dd>Ann&#39;s</dd>"))
    #expect(try await fixture.store.app(fixture.app.id)?.name == "Ann's")
    // Once more, knowing it.
    #expect(await save("Bob's", "250", try version(second)).status == 200)
    let stored = try await fixture.store.app(fixture.app.id)
    #expect(stored?.name == "Bob's" && stored?.throttlePerSecond == 250)
  }

  @Test("a key is good to Apple's model, and another one is not")
  func asked() async throws {
    let fixture = try await Fixture()
    let apple = try await LocalAPNs(
      for: NewApp(
        bundleID: fixture.app.bundleID, teamID: fixture.app.teamID, keyID: fixture.app.keyID,
        privateKey: try fixture.secretKey.privateKey(of: fixture.app)))
    var endpoints = APNsSender.Endpoints()
    endpoints.production = apple.endpoint
    endpoints.development = apple.endpoint
    endpoints.extraTrustPEM = apple.authority.certificatePEM
    let sender = APNsSender(endpoints: endpoints, secretKey: fixture.secretKey)
    let good = await KeyCheck.ask(fixture.app, sender)
    #expect(good == .good)
    var wrong = fixture.app
    wrong.sealedKey = fixture.secretKey.seal(OpenSSLCrypto.makeP256KeyPEM(), for: wrong.id)
    guard case .refused(let reason) = await KeyCheck.ask(wrong, sender) else {
      Issue.record("the wrong key was not refused")
      return
    }
    #expect(reason.contains("InvalidProviderToken"))
    await sender.close()
    await apple.stop()
  }

  @Test("the server's key adds an app, whose keys are shown once; an app's admin does not")
  func added() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer(Self.answering(400, .badDeviceToken))
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    for (role, isAdded) in [(APIKey.Role.admin, false), (.server, true)] {
      let visitor = try await Visitor.signedIn(fixture, as: role)
      let page = await visitor.get(visitor.path("settings"))
      #expect(page.text.contains("Add another app") == isAdded)
      let answer = await visitor.upload(
        visitor.path("settings"),
        [
          "action": "add-app", "name": "Storm", "bundle_id": "com.example.storm",
          "team_id": "TEAM123456", "key_id": "KEY2222222",
        ], file: Array(pem.utf8), named: "AuthKey_KEY2222222.p8", in: "key_file")
      #expect(answer.text.matches(of: /value="mk_[0-9a-f]{64}"/).count == (isAdded ? 4 : 0))
      #expect(try await fixture.store.apps().count == (isAdded ? 2 : 1))
      if isAdded { #expect(await visitor.get(visitor.path("settings")).text.contains("Storm")) }
    }
  }

  @Test("an app's throttle holds for a send that has none of its own")
  func throttle() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let answer = await fixture.request(
      "PUT", "/v6/apps/\(fixture.app.id)", role: .admin,
      body: #"{"app":{"throttle_per_second":40}}"#)
    #expect(answer.status == 200 && answer.json["app"]?["throttle_per_second"] == 40)
    _ = await fixture.send(["alert": "x"])
    _ = await fixture.request(
      "POST", "/v6/notifications",
      body: #"{"notification":{"to":"*","throttle_per_second":7,"payload":{"alert":"x"}}}"#)
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    #expect(sends.map(\.throttlePerSecond) == [7, 40])
  }
}

/// Apple, where a key is for the development environment.
private struct TwoEnvironments: PushSender {
  func send(
    _ pushes: [APNsNotification], for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    pushes.map {
      APNsOutcome(
        kind: .answered, status: development ? 400 : 403,
        reason: development ? .badDeviceToken : .badEnvironmentKeyIdInToken, apnsID: $0.id)
    }
  }

  func close() async {}
}
