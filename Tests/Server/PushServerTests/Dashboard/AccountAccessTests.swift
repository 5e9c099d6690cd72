import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("Signing in with a password", .timeLimit(.minutes(10)))
struct AccountAccessTests {
  @Test(
    "each role opens its sections only, and forms are refused to who only reads",
    arguments: [
      (Account.Role.viewer, ["home", "sends", "audiences", "people", "reports"]),
      (.author, ["home", "compose", "sends", "audiences", "people", "reports"]),
      (.approver, ["home", "compose", "sends", "audiences", "people", "reports"]),
      (.admin, Section.allCases.map(\.rawValue)),
    ])
  func sections(role: Account.Role, sections: [String]) async throws {
    let client = try await DashboardClient.person("ada@example.com", role, Fixture())
    for section in Section.allCases {
      let answer = await client.get(client.path(section.rawValue))
      #expect(answer.status == (sections.contains(section.rawValue) ? 200 : 403))
      #expect(
        answer.text.contains("href=\"\(client.path(section.rawValue))\"")
          == sections.contains(section.rawValue))
    }
    _ = await client.get(client.path("audiences"))
    let saved = await client.post(
      client.path("audiences/new"), ["action": "save", "name": "Readers"])
    #expect(saved.status == (role == .viewer ? 403 : 303))
    #expect(await client.get(client.path("audiences/new")).status == (role == .viewer ? 403 : 200))
  }

  /// The rows of the table of permissions, each with a form that needs it.
  @Test(
    "what a role may not do is refused by the form, not only hidden",
    arguments: [
      ("compose", "send", Permission.send), ("compose", "review", .send),
      ("sends/SEND", "pause", .stop), ("sends/SEND", "resume", .approve),
      ("devices", "erase", .erase), ("settings", "make-key", .manage),
      ("settings/people", "invite", .manage), ("audiences/new", "save", .write),
    ], Account.Role.allCases)
  func forms(row: (path: String, action: String, needs: Permission), role: Account.Role)
    async throws
  {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.person("ada@example.com", role, fixture)
    let body =
      #"{"notification": {"to": "*", "payload": {"alert": "x"}, "scheduled_at": "2030-01-01T00:00:00Z"}}"#
    let send = await fixture.request("POST", "/v6/notifications", body: body)
    let id = send.json["notification"]?["id"]?.string ?? ""
    _ = await client.get("/account")
    let answer = await client.post(
      client.path(row.path.replacing("SEND", with: id)),
      ["action": row.action, "device": "d1", "name": "N", "to": "*", "alert": "Hi"])
    #expect((answer.status == 403) == !role.permissions.contains(row.needs), "\(answer.status)")
  }

  @Test("an unknown address, a wrong password and one that was never chosen get the same answer")
  func sameAnswer() async throws {
    let fixture = try await Fixture()
    try await DashboardClient.join("ada@example.com", .admin, app: nil, fixture)
    let invited = try #require(EmailAddress("new@example.com"))
    _ = try await fixture.store.invite(
      invited, name: "", grant: .init(.admin, app: nil), by: .commandLine,
      at: fixture.clock.now)
    let client = DashboardClient(fixture)
    var texts: Set<String> = []
    for (email, password) in [
      ("ada@example.com", "wrong wrong wrong"), ("eve@example.com", DashboardClient.password),
      ("new@example.com", DashboardClient.password), ("new@example.com", ""),
      ("ada@example.com", DashboardClient.password + " "),
      ("ada@example.com", String(repeating: "x", count: 5000)),
    ] {
      let answer = await client.signIn(email: email, password: password)
      #expect(answer.status == 401)
      let text = answer.text.replacing(email, with: "").replacing(/value="[0-9a-f]{32}"/, with: "")
      texts.insert(text)
      fixture.clock.advance(by: .seconds(60))
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("The email address or the password is wrong.") == true)
    #expect(await client.get(client.path("sends")).status == 401)
    #expect(await client.signIn(email: " ADA@example.com ").status == 303)
  }

  @Test("the sixth wrong password waits, even the right one then, and the key is admitted")
  func limited() async throws {
    let fixture = try await Fixture()
    try await DashboardClient.join("ada@example.com", .admin, app: nil, fixture)
    let client = DashboardClient(fixture)
    for _ in 1...5 {
      #expect(await client.signIn(email: "ada@example.com", password: "wrong").status == 401)
    }
    let waiting = await client.signIn(email: "ada@example.com")
    #expect(waiting.status == 429 && waiting.headers["Retry-After"] == "60")
    #expect(await client.signIn(fixture.keys[.admin] ?? "").status == 303)
    let elsewhere = DashboardClient(fixture)
    #expect(
      await elsewhere.signIn(email: "ada@example.com", from: "198.51.100.7").status == 303)
    fixture.clock.advance(by: .seconds(60))
    #expect(await client.signIn(email: "ada@example.com").status == 303)
    // Nobody who signs in is counted.
    for _ in 1...30 { #expect(await client.signIn(email: "ada@example.com").status == 303) }
    let refused = try await client.auditEntries("session.refused")
    #expect(refused.count >= 5 && refused.allSatisfy { $0.account == nil && $0.name == nil })
  }

  @Test("a browser in which a person has signed in is not locked out by what others try")
  func knownBrowser() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let address = "198.51.100.7"
    for number in 1...60 {
      _ = await client.guess("ada@example.com", from: "192.0.2.\(number)")
    }
    // In any other browser she waits.
    let other = DashboardClient(sharing: client)
    #expect(await other.signIn(email: "ada@example.com", from: address).status == 429)
    #expect(await client.signIn(email: "ada@example.com", from: address).status == 303)
    for _ in 1...5 {
      let wrong = await client.signIn(email: "ada@example.com", password: "wrong", from: address)
      #expect(wrong.status == 401)
    }
    let waiting = await client.signIn(email: "ada@example.com", from: address)
    #expect(waiting.status == 429 && waiting.headers["Retry-After"] == "300")
  }

  @Test("a known browser is known for its own account, for ninety days, and to this server alone")
  func knownBrowserCookie() async throws {
    let fixture = try await Fixture()
    let ada = try await DashboardClient.join("ada@example.com", .admin, app: nil, fixture)
    let now = fixture.clock.now
    let mark = KnownBrowser(of: ada, renewing: nil, at: now)
    func cookies(_ secret: SecretKey, at now: Timestamp) -> BrowserCookies {
      BrowserCookies(secretKey: secret, isSecure: true, now: now)
    }
    let cookie = cookies(fixture.secretKey, at: now).keeping(mark).value
    #expect(
      cookie.hasPrefix("__Host-martlet_browser=") && cookie.contains("; HttpOnly; SameSite=Strict"))
    let pair = String(cookie.prefix { $0 != ";" })
    let request = HTTPRequest(
      method: "GET", path: "/", headers: [(name: "Cookie", value: pair)])
    func read(_ secret: SecretKey, at now: Timestamp) -> KnownBrowser? {
      cookies(secret, at: now).knownBrowser(in: request)
    }
    #expect(read(fixture.secretKey, at: now) == mark)
    #expect(read(fixture.secretKey, at: now + KnownBrowser.lifetime) == nil)
    let other = try #require(SecretKey(SecretKey.randomBytes()))
    #expect(read(other, at: now) == nil)
  }

  @Test("signing in makes a new session, names the person in the log, and shows the account")
  func opened() async throws {
    let fixture = try await Fixture()
    let account = try await DashboardClient.join(
      "ada@example.com", .author, app: fixture.app.id, fixture)
    let client = DashboardClient(fixture)
    _ = await client.get("/sign-in")
    let before = (client.cookie, client.token)
    let answer = await client.signIn(email: "ada@example.com")
    #expect(answer.headers["Location"] == client.path("home"))
    #expect(client.cookie != before.0)
    let page = await client.get(client.path("sends"))
    #expect(page.text.contains("Ada Lovelace</a>") && client.token != before.1)
    let entry = try #require(try await client.auditEntries("session.open").first)
    #expect(entry.account == account.id && entry.name == "Ada Lovelace" && entry.key == nil)
    // A cookie from before signing in is worth nothing.
    client.cookie = before.0
    #expect(await client.get(client.path("sends")).status == 401)
  }

  @Test("a session ends when it was not used for two hours, and twelve hours after signing in")
  func over() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .viewer, fixture)
    for _ in 1...6 {
      fixture.clock.advance(by: .seconds(2 * 3600 - 1))
      #expect(await client.get(client.path("sends")).status == 200)
    }
    fixture.clock.advance(by: .seconds(5))
    #expect(await client.get(client.path("sends")).status == 200)
    fixture.clock.advance(by: .seconds(1))
    #expect(await client.get(client.path("sends")).status == 401)
    let idle = try await DashboardClient.person("eve@example.com", .viewer, fixture)
    fixture.clock.advance(by: .seconds(2 * 3600))
    #expect(await idle.get(idle.path("sends")).status == 401)
    #expect(await idle.get("/account").headers["Location"] == "/")
  }

  @Test("signing out ends the session: a copy of the cookie is worth nothing")
  func signOut() async throws {
    let client = try await DashboardClient.person("ada@example.com", .viewer, Fixture())
    let copy = client.cookie
    _ = await client.get("/account")
    #expect(await client.post("/sign-out", [:]).headers["Location"] == "/sign-in")
    client.cookie = copy
    for path in [client.path("sends"), "/account", "/"] {
      #expect(await client.get(path).status != 200)
    }
  }

  @Test("a key ends the session of a person in the same browser, and a person forgets the keys")
  func oneOrTheOther() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .viewer, fixture)
    let copy = client.cookie
    #expect(await client.signIn(fixture.keys[.push] ?? "").status == 303)
    #expect(await client.get(client.path("compose")).status == 200)
    #expect(await client.get("/account").headers["Location"] == "/")
    #expect(await client.signIn(email: "ada@example.com").status == 303)
    #expect(await client.get(client.path("compose")).status == 403)
    client.cookie = copy
    #expect(await client.get(client.path("sends")).status == 401)
  }

  @Test("a role that is taken away, and an account that is removed, end the access at once")
  func takenAway() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let id = try #require(try await fixture.store.account(email: "ada@example.com")).id
    #expect(await client.get(client.path("compose")).status == 200)
    _ = try await fixture.store.setRole(
      .author, app: fixture.app.id, of: id, by: .commandLine, at: fixture.clock.now)
    #expect(await client.get(client.path("compose")).status == 200, "it has not changed")
    _ = try await fixture.store.setRole(
      .viewer, app: fixture.app.id, of: id, by: .commandLine, at: fixture.clock.now)
    #expect(await client.get(client.path("sends")).status == 401, "the session has ended")
    #expect(await client.signIn(email: "ada@example.com").status == 303)
    #expect(await client.get(client.path("compose")).status == 403)
    _ = try await fixture.store.setRole(
      nil, app: fixture.app.id, of: id, by: .commandLine, at: fixture.clock.now)
    #expect(await client.get(client.path("sends")).status == 401)
    #expect(await client.signIn(email: "ada@example.com").status == 303)
    #expect(await client.get(client.path("sends")).status == 401)
    #expect(await client.get("/").headers["Location"] == "/account")
    #expect(await client.get("/account").status == 200)
    _ = try await fixture.store.removeAccount(id)
    #expect(await client.get("/account").headers["Location"] == "/")
  }

  @Test("a form submitted after the session ended is restored after signing in")
  func saved() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    _ = await client.get(client.path("audiences/new"))
    fixture.clock.advance(by: AccountSession.idleTime)
    let late = await client.post(
      client.path("audiences/new"), ["action": "save", "name": "Readers"])
    #expect(late.status == 401)
    let kept = late.text.firstMatch(of: /name="kept" value="([^"]+)"/).map { String($0.1) } ?? ""
    let back = await client.post(
      "/sign-in/account",
      [
        "email": "ada@example.com", "password": DashboardClient.password,
        "next": client.path("audiences/new"), "kept": kept.replacing("&amp;", with: "&"),
      ])
    #expect(back.text.contains("value=\"Readers\"") && back.text.contains("Continue editing"))
  }
}
