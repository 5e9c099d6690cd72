import APNs
import PushModel
import PushPayload
import Testing
import _OpenSSLCrypto
import _TLS

@testable import PushServer

@Suite("The settings of an app", .timeLimit(.minutes(10)))
struct AppSettingsTests {
  private static func answering(_ status: Int, _ reason: APNsReason?) -> FakeApple.Answer {
    { APNsOutcome(kind: .answered, status: status, reason: reason, apnsID: $0.id) }
  }

  private func change(
    _ client: DashboardClient, _ more: KeyValuePairs<String, String> = [:], file: String = ""
  ) async -> Fixture.Answer {
    let app = client.fixture.app
    var fields = [
      "name": app.name, "bundle_id": app.bundleID, "team_id": app.teamID, "key_id": "KEY2222222",
    ]
    for (name, value) in more { fields[name] = value }
    return await client.upload(
      client.path("settings"),
      [
        "action": "change-app", "name": fields["name"] ?? "",
        "bundle_id": fields["bundle_id"] ?? "",
        "team_id": fields["team_id"] ?? "", "key_id": fields["key_id"] ?? "",
        "throttle": fields["throttle"] ?? "",
        fields["unverified"] == nil ? "verified" : "unverified": "on",
      ], file: Array(file.utf8), named: file.isEmpty ? "" : "AuthKey_KEY2222222.p8", in: "key_file")
  }

  @Test("a key that APNs accepts is stored encrypted and never shown")
  func good() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer(Self.answering(400, .badDeviceToken))
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("settings"))
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let answer = await change(client, ["name": "<b>Storm", "throttle": "250"], file: pem)
    #expect(answer.status == 200)
    #expect(answer.text.contains("Saved. Apple accepts the key."))
    #expect(answer.text.contains("&lt;b&gt;Storm") && !answer.text.contains("<b>Storm"))
    #expect(!answer.text.contains("PRIVATE KEY"))
    let app = try #require(try await fixture.store.app(fixture.app.id))
    #expect(app.name == "<b>Storm" && app.keyID == "KEY2222222" && app.throttlePerSecond == 250)
    #expect(try fixture.secretKey.privateKey(of: app) == pem)
    let asked = try #require(fixture.apple.taken.first)
    #expect(fixture.apple.taken.count == 1 && !asked.isDevelopment)
    #expect(asked.push.pushType == .background && asked.push.topic == app.bundleID)
    let log = try await fixture.store.audit(app: app.id, after: nil, limit: 9).elements
    #expect(log.first?.action == "app.update")
  }

  @Test(
    "a key that APNs does not accept is not stored, unless verification is off",
    arguments: [
      (403, APNsReason?.some(.invalidProviderToken), 422), (400, .topicDisallowed, 422),
      (400, .badTopic, 422), (500, .internalServerError, 503), (429, .tooManyRequests, 503),
      (403, nil, 503), (302, nil, 503), (503, nil, 503), (500, .badDeviceToken, 503),
    ])
  func refused(status: Int, reason: APNsReason?, answered: Int) async throws {
    let fixture = try await Fixture()
    fixture.apple.answer(Self.answering(status, reason))
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("settings"))
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let answer = await change(client, ["team_id": "TEAM999999"], file: pem)
    #expect(answer.status == answered)
    #expect(answer.text.contains("nothing is stored"))
    #expect(answer.text.contains(reason?.rawValue ?? "status \(status)"))
    #expect(answer.text.contains("value=\"TEAM999999\""))
    #expect(try await fixture.store.app(fixture.app.id) == fixture.app)

    let forced = await change(client, ["unverified": "on"], file: pem)
    #expect(forced.status == 200 && fixture.apple.taken.count == 1)
    let app = try #require(try await fixture.store.app(fixture.app.id))
    #expect(try fixture.secretKey.privateKey(of: app) == pem)
  }

  @Test("without an answer of APNs the change is answered 503")
  func unanswered() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer {
      APNsOutcome(kind: .neverSent, apnsID: $0.id, message: "no connection to Apple")
    }
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("settings"))
    let answer = await change(client)
    #expect(answer.status == 503 && answer.text.contains("no connection to Apple"))
    #expect(try await fixture.store.app(fixture.app.id) == fixture.app)
  }

  @Test("a key for Apple's development environment is accepted and reported as such")
  func development() async throws {
    let apple = TwoEnvironments()
    let fixture = try await Fixture()
    #expect(await KeyCheck.ask(fixture.app, apple) == .developmentOnly)
  }

  @Test("a name and a rate limit change without asking APNs; invalid values are refused")
  func others() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("settings"))
    #expect(await change(client, ["key_id": fixture.app.keyID, "throttle": "1"]).status == 200)
    #expect(try await fixture.store.app(fixture.app.id)?.throttlePerSecond == 1)
    #expect(await change(client, ["key_id": fixture.app.keyID]).status == 200)
    #expect(try await fixture.store.app(fixture.app.id)?.throttlePerSecond == nil)
    for (field, value) in [
      ("throttle", "0"), ("throttle", "1000001"), ("throttle", "many"),
      ("name", String(repeating: "n", count: 101)), ("bundle_id", "a b"),
      ("team_id", "<script>"), ("key_id", "é"),
    ] {
      let answer = await client.upload(
        client.path("settings"), ["action": "change-app", field: value], file: [], named: "")
      #expect([400, 422].contains(answer.status) && answer.text.contains("role=\"alert\""))
      #expect(!answer.text.contains("<script>"))
    }
    #expect(await change(client, file: "no key").status == 422)
    #expect(fixture.apple.taken.isEmpty)
    #expect(try await fixture.store.app(fixture.app.id) == fixture.app)
  }

  @Test("a concurrent change of the app is reported, and the form keeps its fields")
  func concurrentChange() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    func version(_ page: Fixture.Answer) throws -> String {
      try #require(
        page.text.firstMatch(of: /name="version" value="([0-9a-f]+)"/).map { String($0.1) })
    }
    func save(
      _ name: String, throttle: String, version: String
    ) async -> Fixture.Answer {
      let app = fixture.app
      return await client.post(
        client.path("settings"),
        [
          "action": "change-app", "name": name, "bundle_id": app.bundleID, "team_id": app.teamID,
          "key_id": app.keyID, "throttle": throttle, "version": version,
        ])
    }
    let first = try version(await client.get(client.path("settings")))
    #expect(await save("Ann's", throttle: "", version: first).status == 200)
    let second = await save(fixture.app.name, throttle: "250", version: first)
    #expect(second.status == 409 && second.text.contains("someone else changed this app"))
    #expect(second.text.contains("value=\"250\"") && second.text.contains("<dd>Ann&#39;s</dd>"))
    #expect(try await fixture.store.app(fixture.app.id)?.name == "Ann's")
    // Saved again, with the current version.
    #expect(await save("Bob's", throttle: "250", version: try version(second)).status == 200)
    let stored = try await fixture.store.app(fixture.app.id)
    #expect(stored?.name == "Bob's" && stored?.throttlePerSecond == 250)
  }

  @Test("the APNs sandbox accepts the app's key and refuses another key")
  func sandbox() async throws {
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

  @Test("the server's admin key can add an app; an app's admin key cannot")
  func added() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer(Self.answering(400, .badDeviceToken))
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    for (role, isAdded) in [(APIKey.Role.admin, false), (.server, true)] {
      let client = try await DashboardClient.signedIn(fixture, as: role)
      let page = await client.get(client.path("settings"))
      #expect(page.text.contains("<summary>Add app</summary>") == isAdded)
      let answer = await client.upload(
        client.path("settings"),
        [
          "action": "add-app", "name": "Storm", "bundle_id": "com.example.storm",
          "team_id": "TEAM123456", "key_id": "KEY2222222",
        ], file: Array(pem.utf8), named: "AuthKey_KEY2222222.p8", in: "key_file")
      #expect(answer.text.matches(of: /value="mk_[0-9a-f]{64}"/).count == (isAdded ? 4 : 0))
      #expect(try await fixture.store.apps().count == (isAdded ? 2 : 1))
      if isAdded { #expect(await client.get(client.path("settings")).text.contains("Storm")) }
    }
  }

  @Test("an app's rate limit applies to sends without their own")
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

/// An APNs whose production environment refuses the key, and whose development environment accepts it.
private struct TwoEnvironments: PushSender {
  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    pushes.map {
      APNsOutcome(
        kind: .answered, status: development ? 400 : 403,
        reason: development ? .badDeviceToken : .badEnvironmentKeyIdInToken, apnsID: $0.id)
    }
  }

  func close() async {}
}
