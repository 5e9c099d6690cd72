import PushModel
import PushPayload
import Synchronization
import Testing

@testable import PushServer

@Suite("The pages of the audit log", .timeLimit(.minutes(10)))
struct AuditPagesTests {
  /// A client that has signed in, made a key and deleted it, and sent a notification.
  private func acted() async throws -> (client: DashboardClient, send: String) {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let client = try await DashboardClient.signedIn(fixture)
    let path = client.path("settings")
    _ = await client.get(path)
    _ = await client.post(path, ["action": "make-key", "role": "push", "name": "Shop <1>"])
    fixture.clock.advance(by: .seconds(86_400))
    let sent = await fixture.send(["alert": "Rain & wind"])
    return (client, try #require(sent.json["notification"]?["id"]?.string))
  }

  /// The page of the log, read in a session of its own: the clock is a day ahead.
  private func page(_ client: DashboardClient, _ query: String = "") async -> Fixture.Answer {
    _ = await client.signIn(client.fixture.keys[.admin] ?? "")
    return await client.get(client.path("settings/audit" + query))
  }

  @Test("changes are sentences with the names of their objects, and links to them")
  func words() async throws {
    let (client, send) = try await acted()
    let text = await page(client).text
    for part in [
      "Created the notification <a href=\"\(client.path("sends/\(send)"))\">Rain &amp; wind</a>",
      "Created the API key Shop &lt;1&gt;", "Signed in", "Push key</a>",
      "made 2023-11-14",
    ] { #expect(text.contains(part), "\(part): \(text)") }
    #expect(!text.contains("notification.create") && !text.contains("<code>\(send)"))
  }

  @Test("an object that is gone leaves its id, and a newer action its own name")
  func unknown() async throws {
    let (client, _) = try await acted()
    for (action, object) in [("webhook.delete", "gone1"), ("later.action", "gone2")] {
      try await client.fixture.store.append(
        AuditEntry(
          app: client.fixture.app.id, key: "gone", action: action, object: object,
          address: "192.0.2.1", at: client.fixture.clock.now))
    }
    let text = await page(client).text
    #expect(text.contains("Deleted the webhook<details class=\"copy-id\">"))
    #expect(text.contains("<code>gone1</code>") && text.contains("later.action<details"))
    #expect(text.contains("A key that was revoked</a>"))
  }

  @Test(
    "what was sent to a Live Activity, and what is kept of it, is in sentences of a kind of its own"
  )
  func activities() async throws {
    let world = try await ActivityWorld()
    let fixture = world.fixture
    try await world.offer(token: "aa")
    #expect(await world.push(ActivityWorld.start, to: "race").status == 201)
    for action in ["activity.update", "activity.end", "activity.keep", "channel.create"] {
      try await fixture.store.append(
        AuditEntry(
          app: fixture.app.id, key: nil, action: action, object: "race", address: nil,
          at: fixture.clock.now))
    }
    let client = try await DashboardClient.signedIn(fixture)
    let text = await client.get(client.path("settings/audit?what=activities")).text
    let link = "<a href=\"\(client.path("sends/activities"))\">race</a>"
    for words in [
      "Started the Live Activity", "Updated the Live Activity", "Ended the Live Activity",
      "Changed what the server keeps of the Live Activity",
    ] { #expect(text.contains("\(words) \(link)"), "\(words): \(text)") }
    #expect(text.contains("Created a channel for Live Activities"))
  }

  @Test("the log is filtered by who, what and when, in the URL, on the page and in the file")
  func filters() async throws {
    let (client, _) = try await acted()
    let key = try #require(
      try await client.fixture.store.keys(app: client.fixture.app.id).first { $0.role == .admin })
    for (query, shown, hidden) in [
      ("?what=keys", "Created the API key", "Rain &amp; wind"),
      ("?what=sends&who=", "Rain &amp; wind", "Created the API key"),
      ("?who=key:\(key.id)", "Created the API key", "Rain &amp; wind"),
      ("?from=2023-11-15&to=", "Rain &amp; wind", "Created the API key"),
      ("?from=&to=2023-11-14", "Created the API key", "Rain &amp; wind"),
    ] {
      let page = await page(client, query)
      #expect(page.status == 200)
      #expect(page.text.contains(shown) && !page.text.contains(hidden), "\(query): \(page.text)")
      let file = await client.get(client.path("settings/audit.csv" + query)).text
      let plain = shown.replacing("&amp;", with: "&")
      #expect(file.contains(plain) && !file.contains(hidden.replacing("&amp;", with: "&")))
    }
    let none = await page(client, "?who=none")
    #expect(none.text.contains("No entry matches") && none.text.contains("selected>Command line"))
    let gone = await page(client, "?who=key:gone")
    #expect(gone.text.contains("selected>A key or a person that is no longer here"))
    #expect(await page(client, "?what=keys").text.contains("audit.csv?what=keys"))
  }

  @Test(
    "a filter that is not understood is refused, and the form stays",
    arguments: ["?who=x", "?what=x", "?from=x", "?to=2023-13-01", "?from=2023-11-15&to=2023-11-14"])
  func refused(query: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let page = await client.get(client.path("settings/audit" + query))
    #expect(page.status == 422 && page.text.contains("role=\"alert\""))
    #expect(await client.get(client.path("settings/audit.csv" + query)).status == 422)
  }

  @Test("the file has every entry with its action, words, names and ids")
  func file() async throws {
    let (client, send) = try await acted()
    _ = await client.signIn(client.fixture.keys[.admin] ?? "")
    let text = await client.get(client.path("settings/audit.csv")).text
    #expect(
      text.hasPrefix(
        "\"time\",\"action\",\"words\",\"object\",\"object_name\",\"who\",\"who_name\",\"address\"\r\n"
      ))
    #expect(
      text.contains(
        "\"notification.create\",\"Created the notification\",\"\(send)\",\"Rain & wind\","))
    #expect(
      await client.get(client.path("settings/audit.csv")).headers["Cache-Control"] == "no-store")
    let pusher = try await DashboardClient.signedIn(client.fixture, as: .push)
    #expect(await pusher.get(pusher.path("settings/audit.csv")).status == 403)
  }

  @Test("the server's log is only for who manages all apps")
  func server() async throws {
    let fixture = try await Fixture()
    try await fixture.store.append(
      AuditEntry(
        app: nil, key: nil, action: "app.create", object: fixture.app.id, address: nil,
        at: fixture.clock.now))
    let admin = try await DashboardClient.signedIn(fixture)
    let path = admin.path("settings/audit?log=server")
    #expect(await !admin.get(path).text.contains("Added the app"))
    let manager = try await DashboardClient.signedIn(fixture, as: .server)
    let text = await manager.get(path).text
    #expect(text.contains("Added the app \(fixture.app.name)"))
    #expect(text.contains(">Command line</a>") && text.contains("audit.csv?log=server"))
  }

  @Test("a key shows its last use and where it came from, at most one an hour")
  func uses() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let path = client.path("settings")
    func use(_ address: String) async throws -> APIKey.Use? {
      _ = await fixture.request("GET", "/v6/webhooks", role: .admin, from: address)
      return try await fixture.store.key(
        hash: Identifiers.hash(ofKey: fixture.keys[.admin] ?? ""))?.lastUse
    }
    #expect(await client.get(path).text.contains("No use recorded"))
    let first = try await fixture.store.key(
      hash: Identifiers.hash(ofKey: fixture.keys[.admin] ?? ""))?.lastUse
    #expect(first?.address == "127.0.0.1")
    fixture.clock.advance(by: .seconds(3599))
    #expect(try await use("192.0.2.7") == first)
    fixture.clock.advance(by: .seconds(1))
    #expect(try await use("192.0.2.7")?.address == "192.0.2.7")
    #expect(await client.get(path).text.contains("from 192.0.2.7"))
  }

  @Test("a webhook says what waits for it, and why its last call failed")
  func webhook() async throws {
    let fixture = try await Fixture()
    _ = await fixture.request(
      "POST", "/v6/webhooks", role: .admin,
      body: #"{"webhook":{"url":"https://e.example/hook","events":["notification.create"]}}"#)
    let client = try await DashboardClient.signedIn(fixture)
    let path = client.path("settings")
    #expect(await client.get(path).text.contains("nothing waits"))
    _ = await fixture.send(["alert": "Hi"])
    #expect(await client.get(path).text.contains("1 call waits"))
    let receiver = WebhookTests.Receiver()
    receiver.status.withLock { $0 = 503 }
    let worker = WebhookWorker(
      store: fixture.store, secretKey: fixture.secretKey, http: receiver, targets: WebhookTargets(),
      clock: fixture.clock.serverClock, owner: "node", log: { _ in })
    #expect(try await worker.callNext())
    let text = await client.get(path).text
    #expect(text.contains("1 attempt failed: the server answered with status 503"))
  }
}
