import PushModel
import Testing

@testable import PushServer

@Suite("Rights that change after a link or a page was made", .timeLimit(.minutes(10)))
struct ChangedRightsTests {
  private struct World {
    var fixture: Fixture
    /// An admin of the fixture's app.
    var admin: DashboardClient
    var adminID: String

    var people: String { admin.path("settings/people") }

    init() async throws {
      fixture = try await Fixture()
      admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
      adminID = try #require(try await fixture.store.account(email: "ada@example.com")).id
      _ = await admin.get(people)
    }

    func id(_ email: String) async throws -> String {
      try #require(try await fixture.store.account(email: email)).id
    }

    func link(in answer: Fixture.Answer) throws -> String {
      String(try #require(answer.text.firstMatch(of: /\/invitation\/[0-9a-f]{64}/)?.0))
    }

    func invite(_ email: String) async throws -> String {
      try link(
        in: await admin.post(people, ["action": "invite", "email": email, "role": "author"]))
    }

    /// The answer to choosing a password by a link.
    func use(_ link: String) async -> Int {
      let client = DashboardClient(fixture)
      let page = await client.get(link)
      // The form of a page that was opened before.
      if page.status != 200 { _ = await client.get("/sign-in") }
      let password = "four quite new words"
      return await client.post(
        link, ["name": "Eve", "password": password, "again": password]
      ).status
    }
  }

  @Test("a kept invitation opens nothing once its person has roles that its maker cannot give")
  func invitation() async throws {
    let world = try await World()
    let works = try await world.invite("works@example.com")
    #expect(await world.use(works) == 303)
    let kept = try await world.invite("xenia@example.com")
    let id = try await world.id("xenia@example.com")
    _ = try await world.fixture.store.setRole(
      .admin, app: nil, of: id, by: .commandLine, at: world.fixture.clock.now)
    #expect(await world.use(kept) == 410)
    #expect(try await world.fixture.store.account(id)?.password == nil)
  }

  @Test("a link for a new password opens nothing once its person became an admin")
  func newLink() async throws {
    let world = try await World()
    _ = try await DashboardClient.join(
      "bob@example.com", .author, app: world.fixture.app.id, world.fixture, name: "Bob")
    let id = try await world.id("bob@example.com")
    let kept = try world.link(
      in: await world.admin.post(world.people, ["action": "new-link", "account": id]))
    let before = try await world.fixture.store.account(id)?.password
    let other = try await DashboardClient.person(
      "boss@example.com", .admin, world.fixture, name: "Boss")
    _ = await other.get(world.people)
    let raised = await other.post(
      world.people, ["action": "role", "account": id, "role": "admin"])
    #expect(raised.status == 303)
    #expect(await world.use(kept) == 410)
    #expect(try await world.fixture.store.account(id)?.password == before)
  }

  @Test("a password that a maker of links may know ends with a role that this maker cannot give")
  func knownPassword() async throws {
    let world = try await World()
    #expect(await world.use(try await world.invite("xenia@example.com")) == 303)
    let id = try await world.id("xenia@example.com")
    let boss = try await DashboardClient.signedIn(world.fixture, as: .server)
    _ = await boss.get(world.people)
    func raise(_ role: String, everywhere: Bool) async -> Fixture.Answer {
      await boss.post(
        world.people,
        ["action": "role", "account": id, "role": role, "scope": everywhere ? "all" : "app"])
    }
    #expect(await raise("approver", everywhere: false).status == 303)
    #expect(try await world.fixture.store.account(id)?.password != nil, "its maker may give it")
    let raised = await raise("viewer", everywhere: true)
    #expect(raised.status == 200 && raised.text.contains("must choose a new password"))
    #expect(try await world.fixture.store.account(id)?.password == nil)
    #expect(await world.use(try world.link(in: raised)) == 303)
    #expect(await raise("admin", everywhere: true).status == 303)
    #expect(try await world.fixture.store.account(id)?.password != nil, "the link was the boss's")
  }

  @Test("an admin of another app gives no role that would end a password, and learns why")
  func otherApp() async throws {
    let world = try await World()
    #expect(await world.use(try await world.invite("xenia@example.com")) == 303)
    let other = try await world.fixture.makeOtherApp().app
    try await DashboardClient.join("zoe@example.com", .admin, app: other.id, world.fixture)
    let zoe = DashboardClient(world.fixture)
    #expect(await zoe.signIn(email: "zoe@example.com").status == 303)
    let people = "/apps/\(other.id)/settings/people"
    _ = await zoe.get(people)
    let refused = await zoe.post(
      people, ["action": "invite", "email": "xenia@example.com", "role": "viewer"])
    #expect(refused.status == 422 && refused.text.contains("ask an admin of all apps"))
    #expect(refused.text.contains("value=\"xenia@example.com\""), "the form keeps its fields")
    let xenia = try await world.fixture.store.account(email: "xenia@example.com")
    #expect(xenia?.password != nil && xenia?.grants.count == 1)
  }

  @Test(
    "a link opens nothing once its maker was removed, or is no admin", arguments: [true, false])
  func maker(isRemoved: Bool) async throws {
    let world = try await World()
    let kept = try await world.invite("xenia@example.com")
    let opened = DashboardClient(world.fixture)
    #expect(await opened.get(kept).status == 200)
    if isRemoved {
      _ = try await world.fixture.store.removeAccount(world.adminID)
    } else {
      _ = try await world.fixture.store.setRole(
        .approver, app: world.fixture.app.id, of: world.adminID, by: .commandLine,
        at: world.fixture.clock.now)
    }
    let password = "four quite new words"
    let late = await opened.post(
      kept, ["name": "Eve", "password": password, "again": password])
    #expect(late.status == 410, "the page was open before")
    #expect(await world.use(kept) == 410)
  }

  @Test("the own link, second factor and passkeys are not changed on the page of people")
  func ownCredentials() async throws {
    let world = try await World()
    try await world.fixture.store.setSecondFactor(
      SecondFactor(
        sealedSecret: world.fixture.secretKey.seal("s", as: .secondFactor, for: world.adminID),
        lastStep: 0, recoveryCodes: []), of: world.adminID)
    for action in ["new-link", "no-second-factor", "no-passkeys"] {
      let answer = await world.admin.post(
        world.people, ["action": action, "account": world.adminID])
      #expect(answer.status == 403, "\(action)")
      #expect(
        answer.text.contains("asked for your password") && !answer.text.contains("/invitation/"))
    }
    #expect(try await world.fixture.store.account(world.adminID)?.secondFactor != nil)
  }

  @Test("a refused sign-in is of nobody known, and a name cannot pass for another's")
  func audit() async throws {
    let world = try await World()
    let visitor = DashboardClient(world.fixture)
    #expect(await visitor.signIn(email: "ada@example.com", password: "wrong").status == 401)
    let server = try await DashboardClient.signedIn(world.fixture, as: .server)
    let log = await server.get(server.path("settings/audit?log=server")).text
    #expect(log.contains(">Not signed in</a>") && !log.contains(">Command line</a>"))
    _ = try await DashboardClient.person(
      "eve@example.com", .viewer, world.fixture, name: "command line")
    let forged = await server.get(server.path("settings/audit?log=server")).text
    #expect(forged.contains(">command line</a> <span class=\"muted\">eve@example.com</span>"))
  }
}
