import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushServer

@Suite("Invitations", .timeLimit(.minutes(10)))
struct InvitationTests {
  /// Invites a person on the page, and returns the path of the link.
  private func invite(
    _ admin: DashboardClient, _ email: String, _ role: Account.Role = .author,
    scope: String = "app"
  ) async throws -> String {
    let people = admin.path("settings/people")
    _ = await admin.get(people)
    let answer = await admin.post(
      people,
      ["action": "invite", "email": email, "name": "", "role": role.rawValue, "scope": scope])
    #expect(answer.status == 200, "\(answer.text)")
    let link = answer.text.firstMatch(
      of: /value="http:\/\/push\.example(\/invitation\/[0-9a-f]{64})"/)
    return String(try #require(link?.1))
  }

  private static let password = "four quite new words"

  @Test("an invited person opens the link, says a name, chooses a password and signs in")
  func wholeWay() async throws {
    let fixture = try await Fixture()
    let admin = try await DashboardClient.signedIn(fixture)
    let path = try await invite(admin, "Ada@Example.com")
    let listed = await admin.get(admin.path("settings/people")).text
    #expect(listed.contains("invited") && listed.contains("ada@example.com"))
    #expect(!listed.contains(path), "it is shown once")

    let ada = DashboardClient(fixture)
    // A mail program opens it too.
    for _ in 1...3 {
      let page = await ada.get(path)
      #expect(page.status == 200 && page.text.contains("ada@example.com"))
      #expect(page.headers["Referrer-Policy"] == "same-origin")
      #expect(page.headers["Cache-Control"] == "no-store")
    }
    for (name, password, again, problem) in [
      ("", Self.password, Self.password, "Enter your name"),
      ("A\u{202E}da", Self.password, Self.password, "The name has the character U+202E"),
      ("Ada", "short", "short", "at least 15 characters"),
      ("Ada", Self.password, "another", "The two passwords differ."),
    ] {
      let refused = await ada.post(path, ["name": name, "password": password, "again": again])
      #expect(refused.status == 422 && refused.text.contains(problem))
      #expect(!refused.text.contains(Self.password))
    }
    let done = await ada.post(
      path, ["name": "Ada Lovelace", "password": Self.password, "again": Self.password])
    #expect(done.status == 303 && done.headers["Location"] == "/sign-in?welcome=1")
    #expect(await ada.get("/sign-in?welcome=1").text.contains("Your password is set."))
    #expect(await ada.get(ada.path("sends")).status == 401, "the link alone signs nobody in")
    #expect(await ada.signIn(email: "ada@example.com", password: Self.password).status == 303)
    #expect(await ada.get(ada.path("sends")).text.contains("Ada Lovelace"))

    #expect(await ada.get(path).status == 410)
    let again = await ada.post(
      path, ["name": "Eve", "password": Self.password, "again": Self.password])
    #expect(again.status == 410)
    #expect(try await admin.auditEntries("account.password").map(\.name) == ["Ada Lovelace"])
    let entry = try #require(try await admin.auditEntries("account.invite").first)
    #expect(entry.object == "ada@example.com" && entry.key != nil && entry.account == nil)
  }

  @Test("a link is over after three days, once a newer one was made, and with its account")
  func over() async throws {
    let fixture = try await Fixture()
    let admin = try await DashboardClient.signedIn(fixture)
    let visitor = DashboardClient(fixture)
    let first = try await invite(admin, "ada@example.com")
    let second = try await invite(admin, "ada@example.com", .viewer)
    #expect(await visitor.get(first).status == 410)
    #expect(await visitor.get(second).status == 200)
    fixture.clock.advance(by: AccountLink.lifetime + .milliseconds(-1))
    #expect(await visitor.get(second).status == 200)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(await visitor.get(second).status == 410)
    let again = try await DashboardClient.signedIn(fixture)
    let third = try await invite(again, "ada@example.com")
    let id = try #require(try await fixture.store.account(email: "ada@example.com")).id
    _ = await again.post(again.path("settings/people"), ["action": "remove", "account": id])
    #expect(await visitor.get(third).status == 410)
    for path in ["/invitation/" + String(repeating: "0", count: 64), "/invitation/x"] {
      #expect(await visitor.get(path).status == 410)
    }
  }

  @Test("a form without the session's token chooses no password")
  func forgery() async throws {
    let fixture = try await Fixture()
    let admin = try await DashboardClient.signedIn(fixture)
    let path = try await invite(admin, "ada@example.com")
    let visitor = DashboardClient(fixture)
    let answer = await visitor.post(
      path, ["name": "Ada", "password": Self.password, "again": Self.password])
    #expect(answer.status == 403)
    #expect(try await fixture.store.account(email: "ada@example.com")?.password == nil)
  }

  @Test("neither the log lines of requests nor the audit log hold the token or the password")
  func secrets() async throws {
    let fixture = try await Fixture()
    let lines = Lines()
    let router = Router(
      Actions(
        store: fixture.store, secretKey: fixture.secretKey, clock: fixture.clock.serverClock,
        site: DashboardClient(fixture).router.site, log: { lines.add("\($0)") }),
      pages: Dashboard.all,
      unknownPage: Dashboard.unknown, requests: { lines.add("\($0)") })
    let email = try #require(EmailAddress("ada@example.com"))
    let path = try #require(
      try await fixture.store.invite(
        email, name: "", grant: .init(.admin, app: nil), by: .commandLine,
        at: fixture.clock.now
      ).path)
    _ = await fixture.request("GET", path, role: nil, to: router)
    _ = await fixture.request(
      "POST", path, role: nil, body: "password=\(Self.password)",
      headers: [("Content-Type", "application/x-www-form-urlencoded")], to: router)
    let token = String(path.dropFirst("/invitation/".count))
    #expect(lines.all.count >= 2)
    #expect(lines.all.allSatisfy { !$0.contains(token) && !$0.contains(Self.password) })
    #expect(lines.all.contains { $0.contains("/invitation/{token}") })
  }

  // MARK: People

  @Test(
    "the row of a person begins with the role that the person has, and an invitation with none of it"
  )
  func shownRoles() async throws {
    let fixture = try await Fixture()
    _ = try await DashboardClient.join("boss@example.com", .admin, app: nil, fixture, name: "Boss")
    let boss = DashboardClient(fixture)
    #expect(await boss.signIn(email: "boss@example.com").status == 303)
    _ = try await DashboardClient.join("eve@example.com", .approver, app: nil, fixture, name: "Eve")
    let ada = try await DashboardClient.join(
      "ada@example.com", .viewer, app: fixture.app.id, fixture, name: "Ada")
    let people = boss.path("settings/people")
    func row(_ email: String, _ page: String) throws -> Substring {
      let start = try #require(page.range(of: "<span class=\"hidden\"> \(email)</span>"))
      return try #require(page[start.upperBound...].split(separator: "</form>").first)
    }
    let page = await boss.get(people).text
    let eve = try row("eve@example.com", page)
    #expect(eve.contains("value=\"approver\" selected") && eve.contains("value=\"all\" selected"))
    let own = try row("ada@example.com", page)
    #expect(own.contains("value=\"viewer\" selected") && !own.contains("value=\"all\" selected"))
    let linked = await boss.post(
      people, ["action": "end-sessions", "account": ada.id, "role": "admin", "scope": "all"])
    let invitation = try #require(linked.text.split(separator: "Invite a person").last)
    #expect(linked.status == 200 && invitation.contains("value=\"author\" selected"))
    #expect(!invitation.contains("value=\"all\" selected"))
  }

  @Test("an admin of one app gives no role in others, and no way into the account of who has one")
  func escalation() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let boss = try await DashboardClient.join(
      "boss@example.com", .admin, app: nil, fixture, name: "Boss")
    let abroad = try await DashboardClient.join(
      "abroad@example.com", .viewer, app: other.app.id, fixture, name: "Abroad")
    let admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
    let people = admin.path("settings/people")
    let page = await admin.get(people).text
    #expect(page.contains("boss@example.com") && !page.contains("abroad@example.com"))
    #expect(!page.contains("all apps</option>"))
    func press(_ action: String, _ account: Account, _ fields: [(String, String)] = []) async -> Int
    {
      await admin.post(people, [("action", action), ("account", account.id)] + fields).status
    }
    for action in ["new-link", "end-sessions", "no-second-factor", "remove"] {
      #expect(await press(action, boss) == 404, "\(action)")
      #expect(await press(action, abroad) == 404, "\(action)")
    }
    #expect(await press("role", abroad, [("role", "admin"), ("scope", "all")]) == 404)
    // With a role here too the account is seen, and stays its person's.
    let invited = await admin.post(
      people, ["action": "invite", "email": "abroad@example.com", "role": "viewer"])
    #expect(invited.status == 200 && invited.text.contains("has an account already"))
    #expect(!invited.text.contains("/invitation/"))
    for action in ["new-link", "end-sessions", "no-second-factor", "remove"] {
      #expect(await press(action, abroad) == 403, "\(action)")
    }
    let everywhere = await admin.post(
      people,
      ["action": "invite", "email": "new@example.com", "role": "admin", "scope": "all"])
    #expect(everywhere.status == 403)
    #expect(try await fixture.store.account(email: "new@example.com") == nil)
    #expect(try await fixture.store.account(boss.id) == boss)
  }

  @Test("a role of one app ends no session of who has roles elsewhere")
  func foreignSessions() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let boss = try await DashboardClient.join(
      "boss@example.com", .admin, app: nil, fixture, name: "Boss")
    let abroad = try await DashboardClient.join(
      "abroad@example.com", .viewer, app: other.app.id, fixture, name: "Abroad")
    let admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
    let people = admin.path("settings/people")
    _ = await admin.get(people)
    for person in [boss, abroad] {
      let client = DashboardClient(fixture)
      #expect(await client.signIn(email: person.email).status == 303)
      func status() async -> Int { await client.get("/apps/\(other.app.id)/sends").status }
      #expect(await status() == 200)
      let invited = await admin.post(
        people, ["action": "invite", "email": person.email, "role": "viewer"])
      #expect(invited.status == 200, "\(invited.text)")
      #expect(await status() == 200, "\(person.email)")
      for role in ["author", "none"] {
        let changed = await admin.post(
          people, ["action": "role", "account": person.id, "role": role])
        #expect(changed.status == 303, "\(changed.text)")
        #expect(await status() == 200, "\(person.email) \(role)")
      }
    }
  }

  @Test("a link names the address on which the server listens, and never the host of a request")
  func address() async throws {
    let fixture = try await Fixture()
    let admin = DashboardClient(fixture, hasAddress: false)
    #expect(await admin.signIn(fixture.keys[.admin] ?? "").status == 303)
    let people = admin.path("settings/people")
    _ = await admin.get(people)
    let refused = await admin.post(
      people, ["action": "invite", "email": "ada@example.com", "role": "viewer"])
    #expect(refused.status == 501 && refused.text.contains("start it with --public-url"))
    #expect(try await fixture.store.account(email: "ada@example.com") == nil)
    admin.router.actions.listens(at: "http://127.0.0.1:8080")
    let invited = await admin.post(
      people, ["action": "invite", "email": "ada@example.com", "role": "viewer"])
    #expect(invited.text.contains("http://127.0.0.1:8080/invitation/"))
    #expect(!invited.text.contains("push.example"))
  }

  @Test("an invitation that waits elsewhere gives an admin of this app no link to it")
  func waitingElsewhere() async throws {
    let fixture = try await Fixture()
    let email = try #require(EmailAddress("boss@example.com"))
    _ = try await fixture.store.invite(
      email, name: "", grant: .init(.admin, app: nil), by: .commandLine,
      at: fixture.clock.now)
    let admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
    _ = await admin.get(admin.path("settings/people"))
    let answer = await admin.post(
      admin.path("settings/people"),
      ["action": "invite", "email": "boss@example.com", "role": "viewer"])
    #expect(answer.status == 403 && !answer.text.contains("/invitation/"))
  }

  @Test("nobody changes the own role, so that an app keeps its admin")
  func ownRole() async throws {
    let fixture = try await Fixture()
    let admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
    let id = try #require(try await fixture.store.account(email: "ada@example.com")).id
    let people = admin.path("settings/people")
    _ = await admin.get(people)
    for fields in [
      [("action", "role"), ("account", id), ("role", "viewer")],
      [("action", "invite"), ("email", "ada@example.com"), ("role", "viewer")],
      [("action", "remove"), ("account", id)],
    ] {
      #expect(await admin.post(people, fields).status == 422)
    }
    #expect(await admin.get(people).status == 200)
  }

  @Test("an admin changes a role, ends sessions, and makes a link that leaves the old password")
  func administration() async throws {
    let fixture = try await Fixture()
    let admin = try await DashboardClient.person("boss@example.com", .admin, fixture, name: "Boss")
    let ada = try await DashboardClient.person("ada@example.com", .viewer, fixture)
    let id = try #require(try await fixture.store.account(email: "ada@example.com")).id
    let people = admin.path("settings/people")
    _ = await admin.get(people)
    func press(_ action: String, _ fields: [(String, String)] = []) async -> Fixture.Answer {
      await admin.post(people, [("action", action), ("account", id)] + fields)
    }
    #expect(await press("role", [("role", "author")]).status == 303)
    #expect(await ada.get(ada.path("sends")).status == 401, "another role ends the sessions")
    #expect(await ada.signIn(email: "ada@example.com").status == 303)
    #expect(await ada.get(ada.path("compose")).status == 200)
    let link = await press("new-link")
    #expect(link.text.contains("/invitation/"))
    #expect(await ada.get(ada.path("compose")).status == 200, "nothing ends before it is used")
    #expect(await press("end-sessions").text.contains("Ada Lovelace was signed out of 1 sessions."))
    #expect(await ada.get(ada.path("compose")).status == 401)
    #expect(await ada.signIn(email: "ada@example.com").status == 303)
    #expect(await press("role", [("role", "nonsense")]).status == 422)
    #expect(await press("role", [("role", "none")]).status == 303)
    #expect(await ada.get(ada.path("sends")).status == 401)
    let entries = try await admin.auditEntries("account.role")
    #expect(entries.count == 2 && entries.allSatisfy { $0.name == "Boss" && $0.object == id })
    let log = await admin.get(admin.path("settings/audit")).text
    #expect(
      log.contains(">Boss</a> <span class=\"muted\">boss@example.com</span>")
        && !log.contains("Log of the server"))
    let server = await admin.get(admin.path("settings/audit?log=server")).text
    #expect(!server.contains("<th scope=\"row\">Signed in"), "only an admin of all apps reads it")
    let all = try await DashboardClient.signedIn(fixture, as: .server)
    #expect(await all.get(all.path("settings/audit")).text.contains("Log of the server"))
    #expect(
      await all.get(all.path("settings/audit?log=server")).text.contains(
        "<th scope=\"row\">Signed in"))
  }

  @Test("a key that is made with a name is listed and logged by it")
  func keyNames() async throws {
    let fixture = try await Fixture()
    let admin = try await DashboardClient.signedIn(fixture)
    _ = await admin.get(admin.path("settings"))
    let made = await admin.post(
      admin.path("settings"), ["action": "make-key", "name": "Shop <b>", "role": "push"])
    #expect(made.text.contains("Shop &lt;b&gt;"))
    let key = try #require(made.text.firstMatch(of: /value="(mk_[0-9a-f]+)"/)?.1)
    let client = DashboardClient(fixture)
    #expect(await client.signIn(String(key)).status == 303)
    #expect(try await admin.auditEntries("session.open").first?.name == "Shop <b>")
    for (name, status) in [
      (String(repeating: "n", count: 100), 200), (String(repeating: "n", count: 101), 422),
    ] {
      let answer = await admin.post(
        admin.path("settings"), ["action": "make-key", "name": name, "role": "push"])
      #expect(answer.status == status)
    }
  }
}
