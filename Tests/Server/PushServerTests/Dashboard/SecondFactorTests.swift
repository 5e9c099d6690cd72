import Foundation
import PushModel
import PushStore
import TestSupport
import Testing
import _SQLite

@testable import PushServer

@Suite("One's own account", .timeLimit(.minutes(10)))
struct SecondFactorTests {
  /// Sets up an authenticator app as a person does, and returns it with the recovery codes.
  private func setUp(
    _ client: DashboardClient
  ) async throws -> (app: OneTimePassword, codes: [String]) {
    _ = await client.get("/account")
    let page = await client.post(
      "/account", ["action": "set-up", "current": DashboardClient.password])
    let sealed = try #require(page.text.firstMatch(of: /name="secret" value="([^"]+)"/)?.1)
    let shown = try #require(page.text.firstMatch(of: /<code id="secret">([A-Z2-7 ]+)</)?.1)
    let key = String(shown.replacing(" ", with: ""))
    let app = OneTimePassword(secret: try Self.decoded(key))
    #expect(app.base32 == key)
    let wrong = await client.post(
      "/account", ["action": "turn-on", "secret": String(sealed), "code": "000000"])
    #expect(wrong.status == 422)
    let again = try #require(wrong.text.firstMatch(of: /name="secret" value="([^"]+)"/)?.1)
    let done = await client.post(
      "/account",
      ["action": "turn-on", "secret": String(again), "code": Self.code(app, client)])
    #expect(done.status == 200)
    return (app, done.text.matches(of: /<li><code>([a-z2-7-]{19})</).map { String($0.1) })
  }

  private static func code(_ app: OneTimePassword, _ client: DashboardClient) -> String {
    app.code(step: OneTimePassword.step(at: client.fixture.clock.now))
  }

  private static func decoded(_ text: String) throws -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    let bits = try text.flatMap { letter in
      let value = try #require(alphabet.firstIndex(of: letter))
      return (0..<5).map { value >> (4 - $0) & 1 }
    }
    return stride(from: 0, to: bits.count - 7, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | UInt8($1) }
    }
  }

  @Test(
    "with an authenticator app a code is asked for, each is used once, and nothing opens before")
  func codes() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let other = DashboardClient(fixture)
    await other.signIn(email: "ada@example.com")
    let (app, codes) = try await setUp(client)
    #expect(codes.count == RecoveryCode.count)
    #expect(await client.get(client.path("sends")).status == 200)
    #expect(await other.get(other.path("sends")).status == 401, "another session has ended")

    let asked = await other.signIn(email: "ada@example.com")
    #expect(asked.status == 200 && asked.text.contains("Enter your code"))
    for path in [other.path("sends"), "/account", "/"] {
      #expect(await other.get(path).status != 200, "\(path)")
    }
    #expect(await other.get("/sign-in/code").status == 200)
    // The code that set it up was used.
    let used = await other.post("/sign-in/code", ["code": Self.code(app, client)])
    #expect(used.status == 401)
    fixture.clock.advance(by: .seconds(30))
    let code = Self.code(app, client)
    #expect(await other.post("/sign-in/code", ["code": code]).status == 303)
    #expect(await other.get(other.path("sends")).status == 200)
    // Whoever looked over the shoulder cannot use it.
    let thief = DashboardClient(fixture)
    await thief.signIn(email: "ada@example.com")
    #expect(await thief.post("/sign-in/code", ["code": code]).status == 401)
    #expect(await thief.get(thief.path("sends")).status == 401)
  }

  @Test("an authenticator app is set up beside a backup, and the other sessions end")
  func besideBackup() async throws {
    let fixture = try await Fixture()
    try await DashboardClient.join("ada@example.com", .author, app: fixture.app.id, fixture)
    let store = try SQLitePushStore(path: fixture.store.path, busyTimeout: .zero)
    let client = DashboardClient(fixture, store: store)
    let other = DashboardClient(sharing: client)
    for browser in [client, other] {
      #expect(await browser.signIn(email: "ada@example.com").status == 303)
    }
    let backup = try SQLiteConnection(path: store.path, busyTimeout: .zero)
    try backup.execute("BEGIN")
    _ = try backup.row("SELECT count(*) FROM accounts") { $0.integer(0) }
    let (_, codes) = try await setUp(client)
    #expect(codes.count == RecoveryCode.count)
    #expect(await client.get(client.path("sends")).status == 200)
    #expect(await other.get(other.path("sends")).status == 401)
    try backup.execute("ROLLBACK")
  }

  @Test("a recovery code signs in once, however it is typed, and is named in the log")
  func recovery() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let (_, codes) = try await setUp(client)
    await client.signIn(email: "ada@example.com")
    let typed = codes[3].uppercased().replacing("-", with: " ")
    #expect(await client.post("/sign-in/code", ["code": typed]).status == 303)
    #expect(await client.get("/account").text.contains("9 of 10 recovery codes are left"))
    #expect(try await client.auditEntries("recovery_code.use").map(\.name) == ["Ada Lovelace"])
    await client.signIn(email: "ada@example.com")
    #expect(await client.post("/sign-in/code", ["code": codes[3]]).status == 401)
    #expect(await client.post("/sign-in/code", ["code": codes[4]]).status == 303)
  }

  @Test(
    "the sixth wrong code waits five minutes, the right one too, and the page is over after ten")
  func limited() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let (app, _) = try await setUp(client)
    await client.signIn(email: "ada@example.com")
    for _ in 1...5 {
      #expect(await client.post("/sign-in/code", ["code": "123"]).status == 401)
    }
    fixture.clock.advance(by: .seconds(60))
    let waiting = await client.post("/sign-in/code", ["code": Self.code(app, client)])
    #expect(waiting.status == 429 && waiting.headers["Retry-After"] == "240")
    // Another sign-in begins no new count.
    await client.signIn(email: "ada@example.com")
    #expect(await client.post("/sign-in/code", ["code": Self.code(app, client)]).status == 429)
    fixture.clock.advance(by: .seconds(240))
    #expect(await client.post("/sign-in/code", ["code": Self.code(app, client)]).status == 303)
    await client.signIn(email: "ada@example.com")
    fixture.clock.advance(by: AccountSession.confirmationTime)
    let late = await client.post("/sign-in/code", ["code": Self.code(app, client)])
    #expect(late.headers["Location"] == "/sign-in")
  }

  @Test("browsers from before the second factor have no attempts of their own for codes")
  func earlierBrowsers() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    // Who knows the password signs in often, and has a known browser each time.
    let earlier = [DashboardClient(fixture), DashboardClient(fixture)]
    for browser in earlier {
      #expect(await browser.signIn(email: "ada@example.com").status == 303)
      #expect(browser.browserCookie != nil)
    }
    _ = try await setUp(client)
    var statuses: [Int] = []
    for browser in earlier {
      _ = await browser.signIn(email: "ada@example.com")
      for _ in 1...4 {
        statuses.append(await browser.post("/sign-in/code", ["code": "000000"]).status)
      }
    }
    #expect(statuses == [401, 401, 401, 401, 401, 429, 429, 429])
  }

  @Test("a secret that another session was shown sets nothing up")
  func foreignSecret() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let eve = try await DashboardClient.person("eve@example.com", .author, fixture, name: "Eve")
    _ = await eve.get("/account")
    let page = await eve.post(
      "/account", ["action": "set-up", "current": DashboardClient.password])
    let sealed = try #require(page.text.firstMatch(of: /name="secret" value="([^"]+)"/)?.1)
    _ = await client.get("/account")
    let answer = await client.post(
      "/account", ["action": "turn-on", "secret": String(sealed), "code": "000000"])
    #expect(answer.status == 422 && answer.text.contains("This page has expired"))
  }

  @Test("what changes how one signs in asks for the password, and wrong ones are limited")
  func currentPassword() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    _ = await client.get("/account")
    let fields = ["set-up", "turn-off", "password", "set-up", "turn-off"]
    for action in fields {
      let answer = await client.post(
        "/account",
        [
          "action": action, "current": "wrong wrong wrong", "password": "four quite new words",
          "again": "four quite new words",
        ])
      #expect(answer.status == 422 && answer.text.contains("The current password is wrong."))
    }
    let waiting = await client.post(
      "/account", ["action": "set-up", "current": DashboardClient.password])
    #expect(waiting.status == 429)
    // The attempts of a session do not keep its person out.
    #expect(await client.signIn(email: "ada@example.com").status == 303)
  }

  @Test("a new password ends the other sessions and the links, and the old one is worth nothing")
  func newPassword() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let other = DashboardClient(fixture)
    await other.signIn(email: "ada@example.com")
    let account = try #require(try await fixture.store.account(email: "ada@example.com"))
    let link =
      try await fixture.store.newLink(
        for: account, by: .commandLine, at: fixture.clock.now) ?? ""
    _ = await client.get("/account")
    for (new, again, problem) in [
      ("short", "short", "at least 15 characters"),
      ("four quite new words", "four quite new word", "The two passwords differ."),
    ] {
      let answer = await client.post(
        "/account",
        [
          "action": "password", "current": DashboardClient.password, "password": new,
          "again": again,
        ])
      #expect(answer.status == 422 && answer.text.contains(problem))
    }
    let new = "four quite new words"
    let changed = await client.post(
      "/account",
      ["action": "password", "current": DashboardClient.password, "password": new, "again": new])
    #expect(changed.status == 200 && changed.text.contains("The password was changed"))
    #expect(await client.get(client.path("sends")).status == 200)
    #expect(await other.get(other.path("sends")).status == 401)
    #expect(await other.get(link).status == 410)
    #expect(await other.signIn(email: "ada@example.com").status == 401)
    #expect(await other.signIn(email: "ada@example.com", password: new).status == 303)
    #expect(try await client.auditEntries("account.password").map(\.name) == ["Ada Lovelace"])
  }

  @Test("sessions are listed with their browsers, and ended one by one or all others at once")
  func sessions() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let phone = DashboardClient(fixture)
    let agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit Safari/605.1.15"
    await phone.signIn(email: "ada@example.com", from: "198.51.100.7", agent: agent)
    let third = DashboardClient(fixture)
    await third.signIn(email: "ada@example.com", agent: "<script>curl/8")
    let page = await client.get("/account").text
    for text in [
      "Firefox on Linux", "Safari on iPhone", "198.51.100.7", "&lt;script&gt;curl/8", "3 sessions",
      "this one",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let ids = page.matches(of: /name="session" value="([0-9a-f]{64})"/).map { String($0.1) }
    #expect(ids.count == 2)
    // Nobody else can end them.
    let eve = try await DashboardClient.person("eve@example.com", .admin, fixture, name: "Eve")
    _ = await eve.get("/account")
    for id in ids { _ = await eve.post("/account", ["action": "end-session", "session": id]) }
    #expect(await phone.get(phone.path("sends")).status == 200)
    _ = await client.get("/account")
    _ = await client.post("/account", ["action": "end-session", "session": ids[0]])
    #expect(await client.get("/account").text.contains("2 sessions"))
    _ = await client.post("/account", ["action": "end-others"])
    for other in [phone, third] { #expect(await other.get(other.path("sends")).status == 401) }
    #expect(await client.get(client.path("sends")).status == 200)
  }

  @Test("a form of another site changes nothing")
  func forgery() async throws {
    let client = try await DashboardClient.person("ada@example.com", .author, Fixture())
    client.token = String(repeating: "0", count: 32)
    let answer = await client.post("/account", ["action": "end-others"])
    #expect(answer.status == 403)
  }
}
