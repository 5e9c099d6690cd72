import Foundation
import PushPayload
import PushStore
import Testing
import _HTTPServer

@testable import PushServer

@Suite("Access to the dashboard", .timeLimit(.minutes(10)))
struct DashboardAccessTests {
  @Test(
    "each role has access to its sections only",
    arguments: [
      (APIKey.Role.push, ["compose", "sends", "audiences", "devices"]),
      (.analytics, ["reports"]),
      (.admin, Section.allCases.map(\.rawValue)),
      (.server, Section.allCases.map(\.rawValue)),
    ])
  func roles(role: APIKey.Role, sections: [String]) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: role)
    for section in Section.allCases {
      let answer = await client.get(client.path(section.rawValue))
      #expect(answer.status == (sections.contains(section.rawValue) ? 200 : 403))
      let link = "href=\"\(client.path(section.rawValue))\""
      #expect(answer.text.contains(link) == sections.contains(section.rawValue))
    }
  }

  @Test(
    "signing in redirects straight to the key's first section",
    arguments: [
      (APIKey.Role.push, "compose"), (.analytics, "reports"), (.admin, "compose"),
      (.server, "compose"),
    ])
  func first(role: APIKey.Role, section: String) async throws {
    let client = DashboardClient(try await Fixture())
    let answer = await client.signIn(client.fixture.keys[role] ?? "")
    #expect(answer.headers["Location"] == client.path(section))
    #expect(await client.get(client.path(section)).status == 200)
  }

  @Test("a device key, a wrong key and an empty key cannot sign in")
  func refused() async throws {
    let fixture = try await Fixture()
    let client = DashboardClient(fixture)
    for (key, status) in [(fixture.keys[.device] ?? "", 403), ("wrong", 401), ("", 401)] {
      let answer = await client.signIn(key)
      #expect(answer.status == status)
      #expect(answer.text.contains("role=\"alert\""))
      #expect(await client.get(client.path("sends")).status == 401)
    }
  }

  @Test("the eleventh attempt in a row from an address is answered 429")
  func attempts() async throws {
    let fixture = try await Fixture()
    let client = DashboardClient(fixture)
    for _ in 1...10 { #expect(await client.signIn("wrong").status == 401) }
    let late = await client.signIn(fixture.keys[.push] ?? "")
    #expect(late.status == 429)
    #expect(late.headers["Retry-After"] == "30")
    #expect(await client.signIn(fixture.keys[.push] ?? "", from: "::1").status == 303)
    fixture.clock.advance(by: .seconds(30))
    #expect(await client.signIn(fixture.keys[.push] ?? "").status == 303)
  }

  @Test("the cookie is encrypted, HttpOnly, SameSite=Strict, and expires after twelve hours")
  func cookie() async throws {
    let fixture = try await Fixture()
    let client = DashboardClient(fixture, secure: true)
    let answer = await client.signIn(fixture.keys[.admin] ?? "")
    let header = answer.headers["Set-Cookie"] ?? ""
    for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/", "Max-Age=43200"] {
      #expect(header.contains(part))
    }
    #expect(await client.get(client.path("sends")).status == 200)

    let good = try #require(client.cookie)
    for changed in [String(good.dropLast()), good + "A", "martlet_session=", "martlet_session=e30"]
    {
      client.cookie = changed
      #expect(await client.get(client.path("sends")).status == 401)
    }
    client.cookie = good
    fixture.clock.advance(by: .seconds(7 * 3600))
    let used = await client.get(client.path("sends"))
    #expect(used.headers["Set-Cookie"] != nil)
    fixture.clock.advance(by: .seconds(7 * 3600))
    #expect(await client.get(client.path("sends")).status == 200)
    client.cookie = good
    #expect(await client.get(client.path("sends")).status == 401)
  }

  @Test("a revoked key ends its session")
  func revoked() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let keys = try await fixture.store.keys(app: fixture.app.id)
    let id = try #require(keys.first { $0.role == .push }?.id)
    try await fixture.store.revokeKey(id, app: fixture.app.id)
    #expect(await client.get(client.path("sends")).status == 401)
  }

  @Test("a form without the session's token, or with that of another session, is refused")
  func forgery() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("sends"))
    let other = try await DashboardClient.signedIn(fixture)
    _ = await other.get(other.path("sends"))
    for token in ["", other.token] {
      client.token = token
      #expect(await client.post("/sign-out", [:]).headers["Set-Cookie"] == nil)
      #expect(await client.post(client.path("compose"), ["title": "x"]).status == 403)
    }
    #expect(await client.get(client.path("sends")).status == 200)
    #expect(await client.post("/sign-out", [:]).status == 303)
    #expect(client.cookie == nil)
    #expect(await client.get(client.path("sends")).status == 401)
  }

  @Test("an audience submitted after the session expired is restored after signing in")
  func savedAudience() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("audiences/new"))
    fixture.clock.advance(by: Session.lifetime)
    let over = await client.post(
      client.path("audiences/new"), ["action": "save", "name": "Readers", "field": "tags"])
    #expect(over.status == 401)
    func hidden(_ name: String, _ page: Fixture.Answer) throws -> String {
      let value = try Regex("name=\"\(name)\" value=\"([^\"]*)\"")
      let found = try #require(page.text.firstMatch(of: value)?.output[1].substring)
      return String(found.replacing("&amp;", with: "&"))
    }
    let back = await client.post(
      "/sign-in",
      [
        "key": fixture.keys[.admin] ?? "", "next": try hidden("next", over),
        "kept": try hidden("kept", over),
      ])
    #expect(back.text.contains("action=\"\(client.path("audiences/new"))\""))
    let again = await client.post(
      client.path("audiences/new"), ["name": try hidden("name", back), "action": "preview"])
    #expect(again.status == 200 && again.text.contains("value=\"Readers\""))
  }

  @Test("a form from before signing in again keeps its fields if it is of our origin")
  func earlierSession() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("audiences/new"))
    let token = client.token
    await client.signIn(fixture.keys[.admin] ?? "")
    for (site, isKept) in [("same-origin", true), ("same-site", false), ("cross-site", false)] {
      client.token = token
      let answer = await client.post(
        client.path("audiences/new"), ["action": "save", "name": "Readers <b>"],
        headers: [("Sec-Fetch-Site", site)])
      #expect(answer.status == 403)
      #expect(answer.text.contains("value=\"Readers &lt;b&gt;\"") == isKept)
      #expect(answer.text.contains("Continue editing") == isKept)
    }
    let stored = try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9)
    #expect(stored.elements.isEmpty)
  }

  @Test("a session holds keys of several apps")
  func apps() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = "/apps/\(other.app.id)/sends"
    #expect(await client.get(path).status == 401)
    #expect(await client.signIn(other.keys.first { $0.role == .push }?.key ?? "").status == 303)
    #expect(await client.get(path).status == 200)
    #expect(await client.get(client.path("sends")).text.contains("com.example.other"))
  }

  @Test("signing in leads back to the requested page, never to another site")
  func next() async throws {
    let fixture = try await Fixture()
    let key = fixture.keys[.admin] ?? ""
    let sends = "/apps/\(fixture.app.id)/sends?x=1"
    let home = "/apps/\(fixture.app.id)/compose"
    for (next, expected) in [
      (sends, sends), ("https://evil.example", home),
      ("//evil.example", home), ("/apps/\r\nX: y", home), ("/apps/\\evil", home), ("", home),
    ] {
      let client = DashboardClient(fixture)
      _ = await client.get("/sign-in")
      let answer = await client.post("/sign-in", ["key": key, "next": next])
      #expect(answer.headers["Location"] == expected)
      fixture.clock.advance(by: .seconds(30))
    }
  }

  @Test("a request from another site neither ends the session nor keeps form fields")
  func crossSite() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let kept = client.cookie
    client.cookie = nil
    let answer = await client.get(
      client.path("sends"), headers: [("Sec-Fetch-Site", "cross-site")])
    #expect(answer.headers["Set-Cookie"] == nil)
    #expect(answer.text.contains("http-equiv=\"refresh\""))
    for path in [client.path("compose"), "/sign-in", "/sign-out"] {
      let posted = await client.post(
        path, ["title": "Theirs"], headers: [("Sec-Fetch-Site", "cross-site")])
      #expect(posted.headers["Set-Cookie"] == nil && !posted.text.contains("Theirs"))
    }
    client.cookie = kept
    #expect(await client.get(client.path("sends")).status == 200)
  }

  @Test("a form submitted after the session expired is restored after signing in")
  func expired() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    fixture.clock.advance(by: .seconds(13 * 3600))
    let late = await client.post(
      client.path("compose"), ["title": "<b>\"Kept\"</b>", "alert": "one\ntwo", "action": "send"])
    #expect(late.status == 401)
    let kept = late.text.firstMatch(of: /name="kept" value="([^"]+)"/).map { String($0.1) } ?? ""
    let again = await client.post(
      "/sign-in",
      [
        "key": fixture.keys[.admin] ?? "", "next": client.path("compose"),
        "kept": kept.replacing("&amp;", with: "&"),
      ])
    #expect(again.text.contains("value=\"&lt;b&gt;&quot;Kept&quot;&lt;/b&gt;\""))
    #expect(again.text.contains("value=\"one\ntwo\""))
    #expect(!again.text.contains("value=\"send\""))
    #expect(!again.text.contains("<b>"))
  }

  @Test("pages forbid inline scripts and other origins; assets are compressed and immutable")
  func headers() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let page = await client.get(client.path("compose"))
    let policy = page.headers["Content-Security-Policy"] ?? ""
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
    #expect(!page.text.contains("style=") && !page.text.contains("<style"))
    #expect(!page.text.contains("http://") && !page.text.contains("https://"))
    let paths = page.text.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/).map { String($0.1) }
    #expect(paths.count >= 3)
    for path in paths {
      let plain = await client.get(path)
      #expect(plain.status == 200)
      #expect(plain.headers["Cache-Control"]?.contains("immutable") == true)
      #expect(plain.headers["Content-Encoding"] == nil)
      let small = await client.get(path, headers: [("Accept-Encoding", "br, gzip")])
      #expect(small.headers["Content-Encoding"] == "gzip")
    }
    #expect(await client.get("/assets/0000/style.css").status == 404)
  }
}
