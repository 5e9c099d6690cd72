import PushModel
import Testing

@testable import PushServer

@Suite("Changes that ask who the user is", .timeLimit(.minutes(10)))
struct ConfirmationTests {
  /// The forms that change who may sign in, how, and as what; each with the page that it is on.
  private static func forms(_ account: String) -> [(page: String, fields: [(String, String)])] {
    [
      ("settings/people", [("action", "invite"), ("email", "eve@example.com"), ("role", "admin")]),
      ("settings/people", [("action", "role"), ("account", account), ("role", "admin")]),
      ("settings/people", [("action", "new-link"), ("account", account)]),
      ("settings/people", [("action", "no-second-factor"), ("account", account)]),
      ("settings/people", [("action", "no-passkeys"), ("account", account)]),
      ("settings", [("action", "make-key"), ("role", "push")]),
    ]
  }

  private static func bob(_ fixture: Fixture) async throws -> String {
    _ = try await DashboardClient.join(
      "bob@example.com", .author, app: fixture.app.id, fixture, name: "Bob")
    return try #require(try await fixture.store.account(email: "bob@example.com")).id
  }

  @Test("ten minutes after signing in, changes of people and keys ask for the password")
  func password() async throws {
    let fixture = try await Fixture()
    let bob = try await Self.bob(fixture)
    let admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
    fixture.clock.advance(by: Session.freshTime - .seconds(1))
    #expect(!(await admin.get(admin.path("settings/people"))).text.contains("Your password"))
    fixture.clock.advance(by: .seconds(1))
    for (page, fields) in Self.forms(bob) {
      let path = admin.path(page)
      #expect(await admin.get(path).text.contains("Your password"))
      for wrong in [[], [("current", "")], [("current", "not the password at all")]] {
        let answer = await admin.post(path, fields + wrong)
        #expect([422, 429].contains(answer.status), "\(fields) \(wrong)")
        #expect(!answer.text.contains("/invitation/") && !answer.text.contains("New push key"))
      }
    }
    #expect(try await fixture.store.account(email: "eve@example.com") == nil)
    #expect(try await fixture.store.account(bob)?.grants.map(\.role) == [.author])
    // The attempts that were wrong are over.
    fixture.clock.advance(by: .seconds(1800))
    for (page, fields) in Self.forms(bob) {
      let answer = await admin.post(
        admin.path(page), fields + [("current", DashboardClient.password)])
      #expect([200, 303].contains(answer.status), "\(fields): \(answer.text)")
    }
    #expect(try await fixture.store.account(bob)?.grants.map(\.role) == [.admin])
  }

  @Test("who signed in with a key enters that key, and no other one")
  func key() async throws {
    let fixture = try await Fixture()
    let bob = try await Self.bob(fixture)
    let client = try await DashboardClient.signedIn(fixture)
    fixture.clock.advance(by: Session.freshTime)
    let own = try #require(fixture.keys[.admin])
    for (page, fields) in Self.forms(bob) {
      let path = client.path(page)
      #expect(await client.get(path).text.contains("Your API key"))
      for wrong in ["", "wrong", fixture.keys[.server] ?? ""] {
        #expect(await client.post(path, fields + [("current", wrong)]).status == 422)
      }
      let answer = await client.post(path, fields + [("current", own)])
      #expect([200, 303].contains(answer.status), "\(fields): \(answer.text)")
    }
  }

  @Test("a key that is added to an open session does not stand for the keys before it")
  func addedKey() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    fixture.clock.advance(by: Session.freshTime)
    #expect(await client.signIn(try #require(fixture.keys[.push])).status == 303)
    let path = client.path("settings")
    #expect(await client.get(path).text.contains("Your API key"))
    let form = [("action", "make-key"), ("role", "admin")]
    #expect(await client.post(path, form).status == 422)
    #expect(
      await client.post(path, form + [("current", fixture.keys[.push] ?? "")]).status == 422)
    #expect(
      await client.post(path, form + [("current", fixture.keys[.admin] ?? "")]).status == 200)
  }

  @Test("an app is added, and its keys are shown, after being asked")
  func addedApp() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture, as: .server)
    fixture.clock.advance(by: Session.freshTime)
    let path = client.path("settings")
    _ = await client.get(path)
    let answer = await client.post(path, ["action": "add-app", "name": "New"])
    #expect(answer.status == 422 && answer.text.contains("This is not the key"))
  }

  @Test("a password that was asked for is not kept with a form of an ended session")
  func savedForm() {
    let form = Form([
      ("token", "t"), ("action", "invite"), ("email", "eve@example.com"), ("current", "secret"),
    ])
    #expect(form.savedFields == "email=eve%40example.com&pressed=invite")
  }

  @Test("sessions are ended and a person is removed without being asked")
  func withoutBeingAsked() async throws {
    let fixture = try await Fixture()
    let bob = try await Self.bob(fixture)
    let admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
    fixture.clock.advance(by: Session.freshTime)
    _ = await admin.get(admin.path("settings/people"))
    for action in ["end-sessions", "remove"] {
      let answer = await admin.post(
        admin.path("settings/people"), ["action": action, "account": bob])
      #expect(answer.status == 200, "\(action)")
    }
    #expect(try await fixture.store.account(bob) == nil)
  }
}
