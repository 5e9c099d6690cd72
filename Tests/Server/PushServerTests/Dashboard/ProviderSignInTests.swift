import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("Signing in with an OpenID provider", .timeLimit(.minutes(10)))
struct ProviderSignInTests {
  /// A browser, the server, and a provider that knows one person.
  private struct World {
    let fixture: Fixture
    let provider: ScriptedProvider
    let client: DashboardClient

    init() async throws {
      fixture = try await Fixture()
      provider = ScriptedProvider(fixture.clock)
      client = DashboardClient(fixture, provider: provider)
    }

    /// Presses the button of a page, and returns the address that the provider leads back to.
    func press(
      _ page: String = "/sign-in", _ fields: [(String, String)] = []
    ) async throws -> String {
      _ = await client.get(page)
      return try callback(await client.post("/sign-in/provider", fields))
    }

    func callback(_ opening: Fixture.Answer) throws -> String {
      let parameters = provider.authorize(try #require(ProviderSignInTests.target(opening)))
      #expect(parameters["redirect_uri"] == "https://push.example/sign-in/provider/callback")
      return "/sign-in/provider/callback?code=the-code&state=\(parameters["state"] ?? "")"
    }

    func invitation(
      _ email: String = "ada@example.com", _ role: Account.Role = .author
    ) async throws -> String {
      let address = try #require(EmailAddress(email))
      let made = try await fixture.store.invite(
        address, name: "", grant: .init(role, app: fixture.app.id), by: .commandLine,
        at: fixture.clock.now)
      return try #require(made.path)
    }

    func account(_ email: String = "ada@example.com") async throws -> Account? {
      try await fixture.store.account(email: email)
    }

    /// Arrives with what the provider says, and returns where the page then leads.
    func arrive(_ path: String) async -> String? {
      ProviderSignInTests.target(await client.arrive(path))
    }
  }

  /// Where a page leads at once.
  static func target(_ answer: Fixture.Answer) -> String? {
    answer.text.firstMatch(of: /http-equiv="refresh" content="0; url=([^"]+)"/)
      .map { String($0.1).replacing("&amp;", with: "&") }
  }

  @Test("an invited person signs in by the verified address, and from then on by the subject")
  func invited() async throws {
    let world = try await World()
    let client = world.client
    let link = try await world.invitation()
    let page = await client.get("/sign-in")
    #expect(page.text.contains(">Sign in with Example ID</button>"))
    let arrived = await client.arrive(try await world.press())
    #expect(arrived.status == 200)
    #expect(ProviderSignInTests.target(arrived) == client.path("home"))
    #expect(client.cookie?.hasPrefix("__Host-martlet_session=") == false, "the site is plain here")
    #expect(client.providerCookie == nil, "the attempt is over")
    let sends = await client.get(client.path("sends"))
    #expect(sends.status == 200 && sends.text.contains("Ada of Example"))
    let account = try #require(try await world.account())
    #expect(account.isConnected && account.password == nil && account.name == "Ada of Example")
    #expect(await client.get(link).status == 410, "the link is used")
    #expect(try await client.auditEntries("account.connect").map(\.name) == ["ada@example.com"])
    #expect(try await client.auditEntries("session.open").map(\.account) == [account.id])

    // The address may change, and belong to somebody else, or be withdrawn.
    world.provider.script.claims = ["email": "lovelace@example.com", "email_verified": false]
    let again = DashboardClient(world.fixture, provider: world.provider)
    _ = await again.get("/sign-in")
    let path = try world.callback(await again.post("/sign-in/provider", []))
    #expect(ProviderSignInTests.target(await again.arrive(path)) == again.path("home"))
    #expect(await again.get("/account").text.contains("ada@example.com"))
  }

  @Test("what the provider said opens no second session, also with a copy of the cookie")
  func replay() async throws {
    let world = try await World()
    _ = try await world.invitation()
    let path = try await world.press()
    let copy = world.client.providerCookie
    #expect(await world.arrive(path) == world.client.path("home"))
    let thief = DashboardClient(world.fixture, provider: world.provider)
    thief.providerCookie = copy
    #expect(ProviderSignInTests.target(await thief.arrive(path)) == "/sign-in?provider=expired")
    #expect(await thief.get(thief.path("sends")).status == 401)
    #expect(await thief.get("/sign-in?provider=expired").text.contains("was finished before"))
  }

  @Test(
    "who is not invited, or whose address nobody has verified, is not signed in",
    arguments: [
      ["email": "eve@example.com"], ["email_verified": false], ["email_verified": nil],
      ["email": nil], ["email": "not an address"], ["email": "ada@example.com\u{0}"],
    ] as [[String: JSONValue?]])
  func unknown(_ claims: [String: JSONValue?]) async throws {
    let world = try await World()
    _ = try await world.invitation()
    world.provider.script.claims = claims
    world.provider.script.userInfo = ["sub": "person-1"]
    let back = await world.arrive(try await world.press())
    #expect(back == "/sign-in?provider=unknown")
    let page = await world.client.get("/sign-in?provider=unknown")
    #expect(page.text.contains("nobody has invited you here"))
    #expect(await world.client.get(world.client.path("sends")).status == 401)
    #expect(try await world.account()?.isConnected == false)
  }

  @Test("another person with a known address does not get the account")
  func recycledAddress() async throws {
    let world = try await World()
    _ = try await world.invitation()
    _ = await world.arrive(try await world.press())
    world.provider.script.claims = ["sub": "person-2"]
    let other = DashboardClient(world.fixture, provider: world.provider)
    _ = await other.get("/sign-in")
    let path = try world.callback(await other.post("/sign-in/provider", []))
    #expect(ProviderSignInTests.target(await other.arrive(path)) == "/sign-in?provider=taken")
    #expect(await other.get(other.path("sends")).status == 401)
  }

  @Test("the person of a link signs in with the provider in place of a password, by any address")
  func link() async throws {
    let world = try await World()
    world.provider.script.claims = ["email": nil, "name": nil]
    world.provider.script.userInfo = ["sub": "person-1", "name": "Ada by user info"]
    let link = try await world.invitation()
    let token = String(link.dropFirst("/invitation/".count))
    let page = await world.client.get(link)
    #expect(page.text.contains("Sign in with Example ID"))
    let path = try await world.press(link, [("invitation", token)])
    #expect(await world.arrive(path) == world.client.path("home"))
    let account = try #require(try await world.account())
    #expect(account.isConnected && account.name == "Ada by user info")
    #expect(await world.client.get(link).status == 410)

    // The same person cannot have a second account.
    let second = try await world.invitation("bob@example.com")
    let other = try await world.press(
      second, [("invitation", String(second.dropFirst("/invitation/".count)))])
    #expect(await world.arrive(other) == "\(second)?provider=taken")
    let refused = await world.client.get("\(second)?provider=taken")
    #expect(refused.status == 200 && refused.text.contains("belongs to another account"))
    // A link that is over meanwhile signs nobody in.
    let third = try await world.invitation("cleo@example.com")
    world.provider.script.claims["sub"] = "person-3"
    let late = try await world.press(
      third, [("invitation", String(third.dropFirst("/invitation/".count)))])
    _ = try await world.invitation("cleo@example.com")
    #expect(await world.arrive(late) == "\(third)?provider=expired")
  }

  @Test("a person with a password connects the provider after entering it, and disconnects")
  func connection() async throws {
    let world = try await World()
    let client = world.client
    try await DashboardClient.join(
      "ada@example.com", .author, app: world.fixture.app.id, world.fixture)
    await client.signIn(email: "ada@example.com")
    world.provider.script.claims = ["email": nil]
    #expect(await client.get("/account").text.contains("Sign in with Example ID</summary>"))
    let refused = await client.post("/account", ["action": "connect", "current": "wrong"])
    #expect(refused.status == 422 && refused.text.contains("The current password is wrong."))
    let opening = await client.post(
      "/account", ["action": "connect", "current": DashboardClient.password])
    #expect(await world.arrive(try world.callback(opening)) == "/account")
    #expect(await client.get("/account").text.contains("Stop signing in with Example ID"))
    #expect(try await world.account()?.isConnected == true)
    let done = await client.post(
      "/account", ["action": "disconnect", "current": DashboardClient.password])
    #expect(done.status == 303)
    #expect(try await world.account()?.isConnected == false)
    #expect(try await client.auditEntries("account.disconnect").count == 1)
  }

  @Test("a connection that comes back after its session ended connects nothing")
  func lateConnection() async throws {
    let world = try await World()
    let client = world.client
    let account = try await DashboardClient.join(
      "ada@example.com", .author, app: world.fixture.app.id, world.fixture)
    await client.signIn(email: "ada@example.com")
    _ = await client.get("/account")
    let opening = await client.post(
      "/account", ["action": "connect", "current": DashboardClient.password])
    let path = try world.callback(opening)
    _ = try await world.fixture.store.endSessions(of: account.id, except: nil)
    #expect(await world.arrive(path) == "/account?provider=expired")
    #expect(try await world.account()?.isConnected == false)
  }

  @Test("who has set up an authenticator app here enters its code too")
  func secondFactor() async throws {
    let world = try await World()
    let client = world.client
    let account = try await DashboardClient.join(
      "ada@example.com", .author, app: world.fixture.app.id, world.fixture)
    let app = OneTimePassword(secret: OneTimePassword.makeSecret())
    try await world.fixture.store.setSecondFactor(
      SecondFactor(
        sealedSecret: world.fixture.secretKey.seal(
          app.sealedText, as: .secondFactor, for: account.id),
        lastStep: 0, recoveryCodes: []), of: account.id)
    let next = client.path("reports")
    let asked = await client.arrive(try await world.press("/sign-in", [("next", next)]))
    #expect(asked.status == 200 && asked.text.contains("Enter your code"))
    #expect(await client.get(client.path("sends")).status == 401, "nothing opens before")
    let field = asked.text.firstMatch(of: /name="next" value="([^"]+)"/).map { String($0.1) }
    let code = app.code(step: OneTimePassword.step(at: world.fixture.clock.now))
    _ = await client.get("/sign-in/code")
    let done = await client.post("/sign-in/code", ["code": code, "next": field ?? ""])
    #expect(done.status == 303 && done.headers["Location"] == next)
  }

  @Test("an answer that this browser did not ask for signs nobody in")
  func forgery() async throws {
    let world = try await World()
    _ = try await world.invitation()
    let path = try await world.press()
    let cookie = world.client.providerCookie
    for (name, forged) in [
      ("another state", path + "x"), ("no state", "/sign-in/provider/callback?code=the-code"),
      ("nothing", "/sign-in/provider/callback"),
    ] {
      #expect(await world.arrive(forged) == "/sign-in?provider=expired", "\(name)")
    }
    world.client.providerCookie = nil
    #expect(await world.arrive(path) == "/sign-in?provider=expired", "another browser")
    world.client.providerCookie = cookie.map { String($0.dropLast(4)) + "AAAA" }
    #expect(await world.arrive(path) == "/sign-in?provider=expired", "a changed cookie")
    world.client.providerCookie = cookie
    #expect(world.provider.requests(to: "/token").isEmpty, "no code was shown to the provider")
    world.fixture.clock.advance(by: ProviderAttempt.lifetime)
    #expect(await world.arrive(path) == "/sign-in?provider=expired", "too late")
  }

  @Test("a form that lies on another site does not begin a sign-in")
  func begunElsewhere() async throws {
    let world = try await World()
    let answer = await world.client.post("/sign-in/provider", [])
    #expect(answer.status == 303 && answer.headers["Location"] == "/sign-in?provider=expired")
    #expect(world.provider.requests.isEmpty)
  }

  @Test("a person who does not agree, and a provider that fails, lead back to the page")
  func failures() async throws {
    let world = try await World()
    _ = try await world.invitation()
    let path = try await world.press()
    let state = path.split(separator: "state=").last.map(String.init) ?? ""
    let cancelled = "/sign-in/provider/callback?error=access_denied&state=\(state)"
    #expect(await world.arrive(cancelled) == "/sign-in?provider=cancelled")
    world.provider.script.tokenError = (400, #"{"error":"invalid_grant"}"#)
    #expect(await world.arrive(path) == "/sign-in?provider=refused")
    world.provider.script.isDown = true
    world.fixture.clock.advance(by: OpenIDClient.lifetime)
    _ = await world.client.get("/sign-in")
    let opening = await world.client.post("/sign-in/provider", ["next": world.client.path("sends")])
    let next = URLEncoded.encode(world.client.path("sends"))
    #expect(ProviderSignInTests.target(opening) == "/sign-in?provider=unavailable&next=\(next)")
    #expect(
      world.client.lines.all == [
        "https://id.example signed nobody in: access_denied",
        "signing in with https://id.example failed: the token endpoint answered 400, invalid_grant",
        "signing in with https://id.example failed: the discovery document at"
          + " https://id.example/.well-known/openid-configuration gave no answer: Down()",
      ])
    for problem in ProviderProblem.allCases {
      let page = await world.client.get("/sign-in?provider=\(problem.rawValue)")
      #expect(page.text.contains("role=\"alert\""), "\(problem)")
    }
    #expect(!(await world.client.get("/sign-in?provider=other").text.contains("role=\"alert\"")))
  }

  @Test("codes that the provider refuses are counted by address")
  func limited() async throws {
    let world = try await World()
    world.provider.script.tokenError = (400, #"{"error":"invalid_grant"}"#)
    var answers: [String?] = []
    // What the provider answered counts once, so each attempt begins anew.
    for _ in 0...20 { answers.append(await world.arrive(try await world.press())) }
    #expect(answers.prefix(20).allSatisfy { $0 == "/sign-in?provider=refused" })
    #expect(answers.last == "/sign-in?provider=limited")
    #expect(world.provider.requests(to: "/token").count == 20)
  }

  @Test("a form that was submitted too late is restored, up to what a cookie holds")
  func savedForm() async throws {
    let world = try await World()
    _ = try await world.invitation()
    let next = world.client.path("compose")
    for (length, isKept) in [(ProviderAttempt.savedFormLimit, true), (2401, false)] {
      let kept = "title=" + String(repeating: "w", count: length - 6)
      let client = DashboardClient(world.fixture, provider: world.provider)
      _ = await client.get("/sign-in")
      let opening = await client.post("/sign-in/provider", ["next": next, "kept": kept])
      #expect((client.providerCookie?.utf8.count ?? 5000) <= HTTPRequest.cookieLimit)
      let arrived = await client.arrive(try world.callback(opening))
      #expect(arrived.text.contains("Your input was restored.") == isKept)
      #expect((ProviderSignInTests.target(arrived) == next) == !isKept)
      let page = SignIn.page(
        for: RequestContext(request: HTTPRequest(method: "GET", path: "/sign-in"), parameters: [:]),
        client.router, session: nil,
        prompt: .init(next: next, savedForm: kept))
      let text = Fixture.Answer(page).text
      #expect(text.contains("target=\"_blank\"") == !isKept)
      #expect(text.contains("this opens a new tab") == !isKept)
    }
  }

  @Test("a saved form survives a sign-in that fails")
  func savedFormAfterFailure() async throws {
    let world = try await World()
    _ = await world.client.get("/sign-in")
    let opening = await world.client.post(
      "/sign-in/provider", ["next": world.client.path("compose"), "kept": "title=Tides"])
    let back = await world.arrive(try world.callback(opening))
    let page = await world.client.get(try #require(back))
    #expect(page.text.contains("name=\"kept\" value=\"title=Tides\""))
  }

  @Test("a server without a provider shows no button and takes no answer of one")
  func without() async throws {
    let fixture = try await Fixture()
    let client = DashboardClient(fixture)
    #expect(!(await client.get("/sign-in").text.contains("/sign-in/provider")))
    #expect(await client.post("/sign-in/provider", []).headers["Location"] != nil)
    #expect(await client.get("/sign-in/provider/callback?code=1").headers["Location"] == "/sign-in")
  }
}
