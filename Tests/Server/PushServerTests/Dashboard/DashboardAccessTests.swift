import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("Access to the dashboard", .timeLimit(.minutes(10)))
struct DashboardAccessTests {
  @Test(
    "each role has access to its sections only",
    arguments: [
      (APIKey.Role.push, ["home", "compose", "sends", "audiences", "people"]),
      (.analytics, ["home", "reports"]),
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
    "signing in redirects straight to the home page",
    arguments: [APIKey.Role.push, .analytics, .admin, .server])
  func first(role: APIKey.Role) async throws {
    let client = DashboardClient(try await Fixture())
    let answer = await client.signIn(client.fixture.keys[role] ?? "")
    #expect(answer.headers["Location"] == client.path("home"))
    #expect(await client.get(client.path("home")).status == 200)
    for path in ["/", "/apps/\(client.fixture.app.id)"] {
      #expect(await client.get(path).headers["Location"] == client.path("home"))
    }
  }

  @Test("a device key, a metrics key, a wrong key and an empty key cannot sign in")
  func refused() async throws {
    let fixture = try await Fixture()
    let client = DashboardClient(fixture)
    let keys = [
      (fixture.keys[.device] ?? "", 403), (fixture.keys[.metrics] ?? "", 403), ("wrong", 401),
      ("", 401),
    ]
    for (key, status) in keys {
      let answer = await client.signIn(key)
      #expect(answer.status == status)
      #expect(answer.text.contains("role=\"alert\""))
      #expect(await client.get(client.path("sends")).status == 401)
    }
  }

  @Test("the eleventh wrong key in a row from an address is answered 429, a valid key never")
  func attempts() async throws {
    let fixture = try await Fixture()
    let client = DashboardClient(fixture)
    for _ in 1...10 { #expect(await client.signIn("wrong").status == 401) }
    async let eleventh = client.signIn("wrong")
    try await until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: Actions.guesserDelay)
    let late = await eleventh
    #expect(late.status == 429)
    #expect(late.headers["Retry-After"] == "30")
    #expect(await client.signIn("wrong", from: "::1").status == 401)
    #expect(await client.signIn(fixture.keys[.push] ?? "").status == 303)
    let entries = try await fixture.store.audit(app: nil, after: nil, limit: 100).elements
    let refused = entries.filter { $0.action == "session.refused" }
    #expect(refused.count == 11 && refused.allSatisfy { $0.address != nil && $0.key == nil })
    let metrics = await fixture.request("GET", "/metrics", role: .server, to: client.router).text
    #expect(metrics.contains("martlet_refused_credentials_total{kind=\"sign_in\"} 12\n"))
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
    for changed in [
      String(good.dropLast()), good + "A", "__Host-martlet_session=", "__Host-martlet_session=e30",
    ] {
      client.cookie = changed
      #expect(await client.get(client.path("sends")).status == 401)
    }
    client.cookie = good
    // However it is used meanwhile.
    fixture.clock.advance(by: .seconds(12 * 3600 - 1))
    #expect(await client.get(client.path("sends")).status == 200)
    fixture.clock.advance(by: .seconds(1))
    #expect(await client.get(client.path("sends")).status == 401)
  }

  @Test("over https the cookie is of this host alone, and browsers are told to use https only")
  func secureHost() async throws {
    let client = DashboardClient(try await Fixture(), secure: true)
    let answer = await client.signIn(client.fixture.keys[.admin] ?? "")
    #expect(answer.headers["Set-Cookie"]?.hasPrefix("__Host-martlet_session=") == true)
    #expect(answer.headers["Strict-Transport-Security"] == "max-age=31536000")
    #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
    let plain = DashboardClient(client.fixture)
    let other = await plain.signIn(client.fixture.keys[.admin] ?? "")
    #expect(other.headers["Set-Cookie"]?.hasPrefix("martlet_session=") == true)
    #expect(other.headers["Strict-Transport-Security"] == nil)
  }

  @Test("a form without a session is taken up to 64 KiB, a longer one is refused by its headers")
  func longForm() async throws {
    let client = DashboardClient(try await Fixture())
    for (length, isTaken) in [(65_536, true), (65_537, false)] {
      let head = HTTPRequest(
        method: "POST", path: client.path("compose"),
        headers: [
          (name: "Host", value: "h"), (name: "Content-Length", value: String(length)),
          (name: "Content-Type", value: "application/x-www-form-urlencoded"),
        ])
      switch await client.router.admit(head) {
      case .handle: #expect(isTaken)
      case .refuse(let response):
        #expect(!isTaken && response.status == 401)
        #expect(response.bodyText.contains("too long to be kept"))
      }
    }
  }

  @Test("a form of a role that has no access is refused by its headers")
  func roleByHeaders() async throws {
    let client = try await DashboardClient.signedIn(try await Fixture(), as: .analytics)
    let head = HTTPRequest(
      method: "POST", path: client.path("compose"),
      headers: [
        (name: "Content-Length", value: "50000000"), (name: "Cookie", value: client.cookie ?? ""),
        (name: "Content-Type", value: "multipart/form-data; boundary=x"),
      ])
    guard case .refuse(let response) = await client.router.admit(head) else {
      Issue.record("the form is admitted")
      return
    }
    #expect(response.status == 403)
  }

  @Test("every section has a button that signs out", arguments: Section.allCases)
  func signOutButton(section: Section) async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let page = await client.get(client.path(section.rawValue))
    #expect(page.status == 200)
    #expect(page.text.contains(#"<form method="post" action="/sign-out">"#))
  }

  @Test("a session from before the secret key was replaced is told why it has ended")
  func replacedSecret() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let other = DashboardClient(try await Fixture())
    for path in [client.path("sends"), "/sign-in"] {
      other.cookie = client.cookie
      let page = await other.get(path)
      #expect(page.text.contains("the secret key of the server was replaced"), "\(path)")
    }
    for cookie in [nil, "martlet_session=e30="] {
      other.cookie = cookie
      #expect(await !other.get("/sign-in").text.contains("was replaced"))
    }
  }

  @Test(
    "a browser at an address that leads nowhere gets a page, and a program JSON",
    arguments: [
      ("GET", "/nothing", 404), ("GET", "/sign-out", 405), ("GET", "/v6/%ff", 400),
      ("GET", "/v6/%zz/apps", 400), ("GET", "/v6/%ff/devices/uninstalled", 400),
    ])
  func nowhere(method: String, path: String, status: Int) async throws {
    let client = DashboardClient(try await Fixture())
    let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    let page = await client.request(method, path, headers: [("Accept", accept)])
    #expect(page.status == status && page.headers["Content-Disposition"] == nil)
    #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(page.text.contains("There is no such page"))
    let program = await client.request(method, path, headers: [("Accept", "*/*")])
    #expect(program.status == status && !program.error.isEmpty)
  }

  @Test("signing out ends the session on the server: a copy of its cookie is worth nothing")
  func signOut() async throws {
    let client = try await DashboardClient.signedIn(try await Fixture(), as: .push)
    let copy = client.cookie
    _ = await client.get(client.path("sends"))
    let token = client.token
    let signedOut = await client.post("/sign-out", [:])
    #expect(signedOut.headers["Location"] == "/sign-in")
    #expect(signedOut.headers["Clear-Site-Data"] == #""cache", "storage""#)
    client.cookie = copy
    #expect(await client.get(client.path("sends")).status == 401)
    #expect(await client.get("/").headers["Location"] == "/sign-in")
    (client.cookie, client.token) = (copy, token)
    #expect(await client.post("/sign-in", ["key": client.fixture.keys[.push] ?? ""]).status == 403)
  }

  @Test(
    "a session that another key or a person replaces is worth nothing", arguments: [false, true])
  func replaced(isByPerson: Bool) async throws {
    let fixture = try await Fixture()
    try await DashboardClient.join("ada@example.com", .viewer, app: fixture.app.id, fixture)
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let copy = client.cookie
    let answer =
      isByPerson
      ? await client.signIn(email: "ada@example.com")
      : await client.signIn(fixture.keys[.admin] ?? "")
    #expect(answer.status == 303)
    #expect(await client.get(client.path("sends")).status == 200)
    client.cookie = copy
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
    let home = "/apps/\(fixture.app.id)/home"
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

  @Test("a page that asks for signing in keeps the query of its address")
  func query() async throws {
    let client = DashboardClient(try await Fixture())
    let answer = await client.get(client.path("people/user?id=a%26b&x=1"))
    #expect(answer.status == 401)
    #expect(
      answer.text.contains(
        "name=\"next\" value=\"\(client.path("people/user"))?id=a%26b&amp;x=1\""))
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
    #expect(!again.text.contains("name=\"action\" value=\"send\""), "nothing is sent by it")
    #expect(!again.text.contains("<b>"))
  }

  @Test("pages forbid inline scripts and other origins; assets are compressed and immutable")
  func headers() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let page = await client.get(client.path("compose"))
    let policy = page.headers["Content-Security-Policy"] ?? ""
    #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
    #expect(!page.text.contains("style=") && !page.text.contains("<style"))
    let addresses = page.text.replacing("placeholder=\"https://…\"", with: "")
    #expect(!addresses.contains("http://") && !addresses.contains("https://"))
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
