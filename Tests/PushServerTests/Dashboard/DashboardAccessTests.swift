import Foundation
import PushPayload
import PushStore
import Testing
import _HTTPServer

@testable import PushServer

@Suite("The dashboard's frame", .timeLimit(.minutes(1)))
struct DashboardFrameTests {
  @Test(
    "each role finds its own sections and no other; a device key finds none",
    arguments: [
      (APIKey.Role.push, ["compose", "sends", "audiences", "devices"]),
      (.analytics, ["reports"]),
      (.admin, Section.allCases.map(\.rawValue)),
      (.server, Section.allCases.map(\.rawValue)),
    ])
  func roles(role: APIKey.Role, sections: [String]) async throws {
    let visitor = try await Visitor.signedIn(Fixture(), as: role)
    for section in Section.allCases {
      let answer = await visitor.get(visitor.path(section.rawValue))
      #expect(answer.status == (sections.contains(section.rawValue) ? 200 : 403))
      let link = "href=\"\(visitor.path(section.rawValue))\""
      #expect(answer.text.contains(link) == sections.contains(section.rawValue))
    }
  }

  @Test(
    "after the key comes the first page that it opens, without another stop",
    arguments: [
      (APIKey.Role.push, "compose"), (.analytics, "reports"), (.admin, "compose"),
      (.server, "compose"),
    ])
  func first(role: APIKey.Role, section: String) async throws {
    let visitor = Visitor(try await Fixture())
    let answer = await visitor.signIn(visitor.fixture.keys[role] ?? "")
    #expect(answer.headers["Location"] == visitor.path(section))
    #expect(await visitor.get(visitor.path(section)).status == 200)
  }

  @Test("a device key, a wrong key and no key open nothing")
  func refused() async throws {
    let fixture = try await Fixture()
    let visitor = Visitor(fixture)
    for (key, status) in [(fixture.keys[.device] ?? "", 403), ("wrong", 401), ("", 401)] {
      let answer = await visitor.signIn(key)
      #expect(answer.status == status)
      #expect(answer.text.contains("role=\"alert\""))
      #expect(await visitor.get(visitor.path("sends")).status == 401)
    }
  }

  @Test("the eleventh try in a row from an address waits, another address does not")
  func attempts() async throws {
    let fixture = try await Fixture()
    let visitor = Visitor(fixture)
    for _ in 1...10 { #expect(await visitor.signIn("wrong").status == 401) }
    let late = await visitor.signIn(fixture.keys[.push] ?? "")
    #expect(late.status == 429)
    #expect(late.headers["Retry-After"] == "30")
    #expect(await visitor.signIn(fixture.keys[.push] ?? "", from: "::1").status == 303)
    fixture.clock.advance(by: .seconds(30))
    #expect(await visitor.signIn(fixture.keys[.push] ?? "").status == 303)
  }

  @Test("the cookie is sealed, kept from scripts and other sites, and over after twelve hours")
  func cookie() async throws {
    let fixture = try await Fixture()
    let visitor = Visitor(fixture, secure: true)
    let answer = await visitor.signIn(fixture.keys[.admin] ?? "")
    let header = answer.headers["Set-Cookie"] ?? ""
    for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/", "Max-Age=43200"] {
      #expect(header.contains(part))
    }
    #expect(await visitor.get(visitor.path("sends")).status == 200)

    let good = try #require(visitor.cookie)
    for changed in [String(good.dropLast()), good + "A", "martlet_session=", "martlet_session=e30"]
    {
      visitor.cookie = changed
      #expect(await visitor.get(visitor.path("sends")).status == 401)
    }
    visitor.cookie = good
    fixture.clock.advance(by: .seconds(7 * 3600))
    let used = await visitor.get(visitor.path("sends"))
    #expect(used.headers["Set-Cookie"] != nil)
    fixture.clock.advance(by: .seconds(7 * 3600))
    #expect(await visitor.get(visitor.path("sends")).status == 200)
    visitor.cookie = good
    #expect(await visitor.get(visitor.path("sends")).status == 401)
  }

  @Test("a key that is revoked opens no page from then on, nor from an address it is not for")
  func revoked() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    let keys = try await fixture.store.keys(app: fixture.app.id)
    let id = try #require(keys.first { $0.role == .push }?.id)
    try await fixture.store.revokeKey(id, app: fixture.app.id)
    #expect(await visitor.get(visitor.path("sends")).status == 401)
  }

  @Test("a form without the session's token, or with another's, does nothing")
  func forgery() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("sends"))
    let other = try await Visitor.signedIn(fixture)
    _ = await other.get(other.path("sends"))
    for token in ["", other.token] {
      visitor.token = token
      #expect(await visitor.post("/sign-out", [:]).headers["Set-Cookie"] == nil)
      #expect(await visitor.post(visitor.path("compose"), ["title": "x"]).status == 403)
    }
    #expect(await visitor.get(visitor.path("sends")).status == 200)
    #expect(await visitor.post("/sign-out", [:]).status == 303)
    #expect(visitor.cookie == nil)
    #expect(await visitor.get(visitor.path("sends")).status == 401)
  }

  @Test("an audience that was typed when the session was over is there again after the key")
  func keptAudience() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("audiences/new"))
    fixture.clock.advance(by: Session.life)
    let over = await visitor.post(
      visitor.path("audiences/new"), ["action": "save", "name": "Readers", "field": "tags"])
    #expect(over.status == 401)
    func hidden(_ name: String, _ page: Fixture.Answer) throws -> String {
      let value = try Regex("name=\"\(name)\" value=\"([^\"]*)\"")
      let found = try #require(page.text.firstMatch(of: value)?.output[1].substring)
      return String(found.replacing("&amp;", with: "&"))
    }
    let back = await visitor.post(
      "/sign-in",
      [
        "key": fixture.keys[.admin] ?? "", "next": try hidden("next", over),
        "kept": try hidden("kept", over),
      ])
    #expect(back.text.contains("action=\"\(visitor.path("audiences/new"))\""))
    let again = await visitor.post(
      visitor.path("audiences/new"), ["name": try hidden("name", back), "action": "preview"])
    #expect(again.status == 200 && again.text.contains("value=\"Readers\""))
  }

  @Test("a form of before somebody signed in anew keeps its words, where it is our own")
  func earlier() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("audiences/new"))
    let token = visitor.token
    await visitor.signIn(fixture.keys[.admin] ?? "")
    for (site, isKept) in [("same-origin", true), ("same-site", false), ("cross-site", false)] {
      visitor.token = token
      let answer = await visitor.post(
        visitor.path("audiences/new"), ["action": "save", "name": "Readers <b>"],
        headers: [("Sec-Fetch-Site", site)])
      #expect(answer.status == 403)
      #expect(answer.text.contains("value=\"Readers &lt;b&gt;\"") == isKept)
      #expect(answer.text.contains("Go on writing") == isKept)
    }
    let stored = try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9)
    #expect(stored.elements.isEmpty)
  }

  @Test("one session opens several apps, each by its own key")
  func apps() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    let path = "/apps/\(other.app.id)/sends"
    #expect(await visitor.get(path).status == 401)
    #expect(await visitor.signIn(other.keys.first { $0.role == .push }?.key ?? "").status == 303)
    #expect(await visitor.get(path).status == 200)
    #expect(await visitor.get(visitor.path("sends")).text.contains("com.example.other"))
  }

  @Test("after the key a person comes back to the page, and never to another site")
  func next() async throws {
    let fixture = try await Fixture()
    let key = fixture.keys[.admin] ?? ""
    let sends = "/apps/\(fixture.app.id)/sends?x=1"
    let home = "/apps/\(fixture.app.id)/compose"
    for (next, expected) in [
      (sends, sends), ("https://evil.example", home),
      ("//evil.example", home), ("/apps/\r\nX: y", home), ("/apps/\\evil", home), ("", home),
    ] {
      let visitor = Visitor(fixture)
      _ = await visitor.get("/sign-in")
      let answer = await visitor.post("/sign-in", ["key": key, "next": next])
      #expect(answer.headers["Location"] == expected)
      fixture.clock.advance(by: .seconds(30))
    }
  }

  @Test("what comes from another site neither loses the session nor brings words along")
  func crossSite() async throws {
    let visitor = try await Visitor.signedIn(Fixture())
    let kept = visitor.cookie
    visitor.cookie = nil
    let answer = await visitor.get(
      visitor.path("sends"), headers: [("Sec-Fetch-Site", "cross-site")])
    #expect(answer.headers["Set-Cookie"] == nil)
    #expect(answer.text.contains("http-equiv=\"refresh\""))
    for path in [visitor.path("compose"), "/sign-in", "/sign-out"] {
      let posted = await visitor.post(
        path, ["title": "Theirs"], headers: [("Sec-Fetch-Site", "cross-site")])
      #expect(posted.headers["Set-Cookie"] == nil && !posted.text.contains("Theirs"))
    }
    visitor.cookie = kept
    #expect(await visitor.get(visitor.path("sends")).status == 200)
  }

  @Test("what was typed when the session was over is there again after the key")
  func expired() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture)
    _ = await visitor.get(visitor.path("compose"))
    fixture.clock.advance(by: .seconds(13 * 3600))
    let late = await visitor.post(
      visitor.path("compose"), ["title": "<b>\"Kept\"</b>", "alert": "one\ntwo", "action": "send"])
    #expect(late.status == 401)
    let kept = late.text.firstMatch(of: /name="kept" value="([^"]+)"/).map { String($0.1) } ?? ""
    let again = await visitor.post(
      "/sign-in",
      [
        "key": fixture.keys[.admin] ?? "", "next": visitor.path("compose"),
        "kept": kept.replacing("&amp;", with: "&"),
      ])
    #expect(again.text.contains("value=\"&lt;b&gt;&quot;Kept&quot;&lt;/b&gt;\""))
    #expect(again.text.contains("value=\"one\ntwo\""))
    #expect(!again.text.contains("value=\"send\""))
    #expect(!again.text.contains("<b>"))
  }

  @Test("pages forbid inline scripts and other sites; files are for ever, compressed and ours")
  func headers() async throws {
    let visitor = try await Visitor.signedIn(Fixture())
    let page = await visitor.get(visitor.path("compose"))
    let policy = page.headers["Content-Security-Policy"] ?? ""
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
    #expect(!page.text.contains("style=") && !page.text.contains("<style"))
    #expect(!page.text.contains("http://") && !page.text.contains("https://"))
    let paths = page.text.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/).map { String($0.1) }
    #expect(paths.count >= 3)
    for path in paths {
      let plain = await visitor.get(path)
      #expect(plain.status == 200)
      #expect(plain.headers["Cache-Control"]?.contains("immutable") == true)
      #expect(plain.headers["Content-Encoding"] == nil)
      let small = await visitor.get(path, headers: [("Accept-Encoding", "br, gzip")])
      #expect(small.headers["Content-Encoding"] == "gzip")
    }
    #expect(await visitor.get("/assets/0000/style.css").status == 404)
  }
}
