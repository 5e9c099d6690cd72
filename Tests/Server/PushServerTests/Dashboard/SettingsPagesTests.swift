import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The pages of settings", .timeLimit(.minutes(10)))
struct SettingsPagesTests {
  @Test("a new API key is shown once, signs in with its role, and is useless once revoked")
  func keys() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let path = client.path("settings")
    #expect(await client.get(path).text.contains("com.example.weather"))
    let made = await client.post(
      path,
      [
        "action": "make-key", "role": "analytics", "allow": "127.0.0.1\n 192.0.2.0/24",
        "per_second": "7",
      ])
    let key = try #require(
      made.text.firstMatch(of: /value="(mk_[0-9a-f]{64})"/).map { String($0.1) })
    #expect(made.headers["Cache-Control"] == "no-store" && made.text.contains("copy.js"))
    let page = await client.get(path)
    #expect(!page.text.contains("mk_") && page.text.contains("127.0.0.1, 192.0.2.0/24"))
    let record = try #require(try await fixture.store.key(hash: Identifiers.hash(ofKey: key)))
    #expect(record.role == .analytics && record.limits.perSecond == 7)
    #expect(page.text.contains(record.id))
    #expect(await DashboardClient(fixture).signIn(key).status == 303)

    let revoked = await client.post(path, ["action": "revoke-key", "id": record.id])
    #expect(revoked.headers["Location"] == path)
    #expect(await !client.get(path).text.contains(record.id))
    #expect(await DashboardClient(fixture).signIn(key).status == 401)
    #expect(await client.post(path, ["action": "revoke-key", "id": record.id]).status == 404)
    let log = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 20).elements
    #expect(log.map(\.action).filter { $0.hasPrefix("key.") } == ["key.revoke", "key.create"])
  }

  @Test(
    "an invalid new API key is refused, and the form keeps its fields",
    arguments: [
      ("server", "", ""), ("owner", "", ""), ("push", "<b>", ""), ("push", "", "0"),
      ("push", "", "10001"), ("push", "", "many"),
    ])
  func badKey(role: String, allow: String, perSecond: String) async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let count = try await fixture.store.keys(app: fixture.app.id).count
    _ = await client.get(client.path("settings"))
    let answer = await client.post(
      client.path("settings"),
      ["action": "make-key", "role": role, "allow": allow, "per_second": perSecond])
    #expect([400, 422].contains(answer.status) && answer.text.contains("role=\"alert\""))
    #expect(answer.text.contains("value=\"\(perSecond)\"") && !answer.text.contains("<b>"))
    #expect(try await fixture.store.keys(app: fixture.app.id).count == count)
  }

  @Test("a key of another app cannot be revoked")
  func otherApp() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("settings"))
    let id = other.records[0].id
    let path = client.path("settings")
    #expect(await client.post(path, ["action": "revoke-key", "id": id]).status == 404)
    #expect(try await fixture.store.keys(app: other.app.id).count == other.records.count)
    #expect(await client.get("/apps/\(other.app.id)/settings").status == 401)
  }

  @Test("a new webhook's secret is shown once; the webhook is deleted")
  func webhooks() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let path = client.path("settings")
    #expect(await client.get(path).text.contains("No webhooks yet"))
    for (url, event, start) in [
      ("http://127.0.0.1/", "device.erase", "<a href=\"#url\">URL must"),
      ("https://x.example/\"<b>", "no", "<a href=\"#events\">Events must"),
    ] {
      let bad = await client.post(path, ["action": "add-webhook", "url": url, "event": event])
      #expect(bad.status == 422 && !bad.text.contains("<b>"))
      // The refusal names the field as the page does, and leads to it.
      let alert = bad.text.firstMatch(of: /role="alert"[^>]*>(.*?)<\/p>/)?.1
      #expect(alert?.hasPrefix(start) == true, "\(alert ?? "no alert")")
    }
    let url = "https://hooks.example/?a=1&b=2"
    let added = await client.post(
      path,
      ["action": "add-webhook", "url": url, "event": "device.erase", "event": "key.create"])
    #expect(added.text.contains("value=\"whsec_"))
    let page = await client.get(path)
    #expect(!page.text.contains("whsec_") && page.text.contains("a=1&amp;b=2"))
    #expect(page.text.contains("<li>Device erased</li><li>API key created</li>"))
    #expect(page.text.contains("nothing waits"))
    let webhook = try #require(try await fixture.store.webhooks(app: fixture.app.id).first)
    #expect(webhook.url == url)
    #expect(await client.post(path, ["action": "delete-webhook", "id": webhook.id]).status == 303)
    #expect(try await fixture.store.webhooks(app: fixture.app.id).isEmpty)
    #expect(await client.post(path, ["action": "delete-webhook", "id": webhook.id]).status == 404)
  }

  @Test("a restored form keeps its fields", arguments: ["", "preview"])
  func kept(action: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    _ = await client.get(client.path("settings"))
    let page = await client.post(
      client.path("settings"), ["action": action, "url": "https://x.example", "per_second": "5"])
    #expect(page.status == 200 && page.text.contains("value=\"https://x.example\""))
  }

  @Test("the audit log is paged, the newest entries first, for admins only")
  func audit() async throws {
    let fixture = try await Fixture()
    for number in 1...150 {
      try await fixture.store.append(
        AuditEntry(
          app: fixture.app.id, key: nil, action: "test.act", object: "o\(number)<", address: nil,
          at: fixture.clock.now))
    }
    let client = try await DashboardClient.signedIn(fixture)
    let first = await client.get(client.path("settings/audit"))
    func objects(_ page: Fixture.Answer) -> [Int] {
      page.text.matches(of: /<code>o(\d+)&lt;<\/code>/).compactMap { Int($0.1) }
    }
    // The sign-in is an entry too.
    #expect(objects(first) == Array((102...150).reversed()) && first.text.contains("50 of 151"))
    var page = first
    for last in [52, 2, 1] {
      let next = try #require(page.text.firstMatch(of: /href="([^"]+after=[^"]+)"/)?.1)
      page = await client.get(String(next))
      #expect(objects(page).last == last && page.text.contains("First page"))
    }
    #expect(!page.text.contains("after="))
    #expect(await client.get(client.path("settings/audit?after=x")).status == 404)
    let pusher = try await DashboardClient.signedIn(fixture, as: .push)
    #expect(await pusher.get(pusher.path("settings/audit")).status == 403)
    #expect(await pusher.post(pusher.path("settings"), ["action": "make-key"]).status == 403)
  }
}
