import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Signing in with a passkey", .timeLimit(.minutes(10)))
struct PasskeySignInTests {
  private let email = "ada@example.com"

  private func browser(_ fixture: Fixture) -> DashboardClient {
    DashboardClient(fixture, publicURL: "https://push.example")
  }

  /// A person who has signed in with the password.
  private func person(_ fixture: Fixture) async throws -> DashboardClient {
    try await DashboardClient.join(email, .author, app: fixture.app.id, fixture)
    let client = browser(fixture)
    await client.signIn(email: email)
    return client
  }

  /// What a page asks the browser: the options, and the sealed challenge of the form.
  private func asked(_ page: Fixture.Answer) throws -> (
    options: JSONValue, fields: [(String, String)]
  ) {
    let text = try #require(page.text.firstMatch(of: /data-passkey="([^"]+)"/)?.1)
    let sealed = try #require(page.text.firstMatch(of: /name="challenge" value="([^"]+)"/)?.1)
    let json = String(text).replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
    let options = try JSONValue(parsing: json)
    return (options, [("challenge", String(sealed))])
  }

  /// Adds a passkey on the page of the account.
  @discardableResult
  private func add(
    _ device: SoftwareAuthenticator, _ client: DashboardClient, name: String = "Phone",
    meanwhile: () async throws -> Void = {}
  ) async throws -> Fixture.Answer {
    _ = await client.get("/account")
    let page = await client.post(
      "/account", ["action": "offer-passkey", "current": DashboardClient.password])
    let (options, fields) = try asked(page)
    #expect(options["rp"]?["id"] == "push.example")
    let challenge = options["challenge"]?.string ?? ""
    try await meanwhile()
    return await client.post(
      "/account",
      [("action", "add-passkey"), ("name", name)] + fields + device.register(challenge))
  }

  private func form(
    _ device: SoftwareAuthenticator, _ client: DashboardClient
  ) async throws -> [(String, String)] {
    let (options, fields) = try asked(await client.get("/sign-in?next=/apps/x/sends"))
    return try fields + device.sign(options["challenge"]?.string ?? "")
  }

  @Test("the challenge of the sign-in page, which asks for no password, adds no passkey")
  func otherChallenge() async throws {
    let fixture = try await Fixture()
    let client = try await person(fixture)
    let device = SoftwareAuthenticator()
    let (options, fields) = try asked(await client.get("/sign-in"))
    _ = await client.get("/account")
    let answer = await client.post(
      "/account",
      [("action", "add-passkey"), ("name", "Phone")] + fields
        + device.register(options["challenge"]?.string ?? ""))
    #expect(answer.status == 422 && answer.text.contains("This page has expired"))
    let account = try #require(try await fixture.store.account(email: email))
    #expect(account.passkeyCount == 0)
  }

  @Test("a passkey signs its person in, without the password and the code, and is noted")
  func signIn() async throws {
    let fixture = try await Fixture()
    let client = try await person(fixture)
    var device = SoftwareAuthenticator()
    let added = try await add(device, client)
    #expect(added.status == 200 && added.text.contains("“Phone”"))
    #expect(added.text.contains("never"))
    let account = try #require(try await fixture.store.account(email: email))
    try await fixture.store.setSecondFactor(
      SecondFactor(
        sealedSecret: fixture.secretKey.seal("s", as: .secondFactor, for: account.id), lastStep: 0,
        recoveryCodes: []), of: account.id)

    let other = browser(fixture)
    device.user = Array(account.id.utf8)
    let answer = await other.post("/sign-in/passkey", try await form(device, other))
    #expect(answer.status == 303, "\(answer.text)")
    let page = await other.get("/account")
    #expect(page.status == 200 && page.text.contains("Phone") && !page.text.contains("never"))
    #expect(try await client.auditEntries("passkey.add").map(\.name) == ["Ada Lovelace"])
    #expect(try await client.auditEntries("session.open").count == 2)
  }

  @Test("what was signed opens one session, and nothing in another browser")
  func once() async throws {
    let fixture = try await Fixture()
    let device = SoftwareAuthenticator()
    try await add(device, try await person(fixture))
    let (one, two) = (browser(fixture), browser(fixture))
    let signed = try await form(device, one)
    _ = await two.get("/sign-in")
    let stolen = await two.post("/sign-in/passkey", signed)
    #expect(stolen.status == 401 && stolen.text.contains("not accepted"))
    let (cookie, token) = (one.cookie, one.token)
    #expect(await one.post("/sign-in/passkey", signed).status == 303)
    (one.cookie, one.token) = (cookie, token)
    #expect(await one.post("/sign-in/passkey", signed).status == 403)
  }

  @Test("after an answer that was lost, the sign-in page works")
  func lostAnswer() async throws {
    let fixture = try await Fixture()
    let device = SoftwareAuthenticator()
    try await add(device, try await person(fixture))
    let client = browser(fixture)
    let signed = try await form(device, client)
    let (cookie, token) = (client.cookie, client.token)
    #expect(await client.post("/sign-in/passkey", signed).status == 303)
    // The browser has still the session that the first answer was to replace.
    (client.cookie, client.token) = (cookie, token)
    #expect(await client.post("/sign-in/passkey", signed).status == 403)
    let fields: KeyValuePairs = ["email": email, "password": DashboardClient.password]
    #expect(await client.post("/sign-in/account", fields).status == 303)
    // The sign-in page that is opened anew works too, and so does the one in place of a page.
    for path in ["/sign-in", client.path("sends")] {
      client.cookie = cookie
      #expect(await client.get(path).status == (path == "/sign-in" ? 200 : 401))
      #expect(await client.post("/sign-in/account", fields).status == 303, "\(path)")
    }
  }

  @Test("a page that was open too long, or an unknown passkey, signs nobody in")
  func refusals() async throws {
    let fixture = try await Fixture()
    var device = SoftwareAuthenticator()
    let client = try await person(fixture)
    try await add(device, client)
    let other = browser(fixture)
    func status(after wait: Duration = .zero) async throws -> Int {
      let signed = try await form(device, other)
      fixture.clock.advance(by: wait)
      return await other.post("/sign-in/passkey", signed).status
    }
    #expect(try await status(after: PasskeyChallenge.lifetime) == 401)
    device.user = Array("another".utf8)
    #expect(try await status() == 401)
    device.user = nil
    device.id = [1]
    #expect(try await status() == 401)
    let log = other.lines.all.joined()
    #expect(log.contains("too long ago") && log.contains("another person"))
    #expect(log.contains("unknown here"))
    device.id = SoftwareAuthenticator().id
    #expect(try await status(after: PasskeyChallenge.lifetime - .seconds(1)) == 303)
  }

  @Test("an account that is full when a passkey comes says so")
  func full() async throws {
    let fixture = try await Fixture()
    let client = try await person(fixture)
    let account = try #require(try await fixture.store.account(email: email))
    let session = try #require(
      try await fixture.store.sessions(of: account.id, at: fixture.clock.now).first)
    let answer = try await add(SoftwareAuthenticator(), client) {
      for number in 1...UInt8(Passkey.limit) {
        let other = Passkey(
          id: [number], account: account.id, publicKey: [4], signatureCount: 0, name: "Other",
          createdAt: fixture.clock.now)
        let refusal = try await fixture.store.add(other, in: session.hash)
        #expect(refusal == nil)
      }
    }
    #expect(answer.status == 409)
    #expect(answer.text.contains("You have 20 passkeys, which is the most. Remove one first."))
  }

  @Test("a count that does not rise tells of a copy, and is refused")
  func copies() async throws {
    let fixture = try await Fixture()
    var device = SoftwareAuthenticator()
    device.count = 4
    try await add(device, try await person(fixture))
    for (count, status) in [(4, 401), (5, 303), (5, 401), (0, 401), (900, 303)] {
      device.count = UInt32(count)
      let other = browser(fixture)
      let answer = await other.post("/sign-in/passkey", try await form(device, other))
      #expect(answer.status == status, "\(count)")
    }
  }

  @Test("adding and removing need the password, and a removed passkey opens nothing")
  func removal() async throws {
    let fixture = try await Fixture()
    let client = try await person(fixture)
    let device = SoftwareAuthenticator()
    _ = await client.get("/account")
    let refused = await client.post("/account", ["action": "offer-passkey", "current": "wrong"])
    #expect(refused.status == 422 && !refused.text.contains("data-passkey"))
    try await add(device, client)
    let twice = try await add(device, client)
    #expect(twice.status == 409 && twice.text.contains("This passkey is in use."))
    let id = Identifiers.hex(device.id)
    let kept = await client.post(
      "/account", ["action": "remove-passkey", "passkey": id, "current": "wrong"])
    #expect(kept.status == 422)
    let removed = await client.post(
      "/account",
      ["action": "remove-passkey", "passkey": id, "current": DashboardClient.password])
    #expect(removed.status == 303)
    #expect(try await client.auditEntries("passkey.remove").count == 1)
    let other = browser(fixture)
    #expect(await other.post("/sign-in/passkey", try await form(device, other)).status == 401)
  }

  @Test("an admin removes a person's passkeys, and nobody without a role for that does")
  func removalByAdmin() async throws {
    let fixture = try await Fixture()
    try await add(SoftwareAuthenticator(), try await person(fixture))
    let account = try #require(try await fixture.store.account(email: email))
    let fields: KeyValuePairs = ["action": "no-passkeys", "account": account.id]
    let author = try await DashboardClient.person("bob@example.com", .author, fixture)
    _ = await author.get("/account")
    #expect(await author.post(author.path("settings/people"), fields).status == 403)
    #expect(try await fixture.store.account(account.id)?.passkeyCount == 1)
    let admin = try await DashboardClient.signedIn(fixture)
    let page = await admin.get(admin.path("settings/people"))
    #expect(page.text.contains("Remove the passkeys (1)"))
    let removed = await admin.post(admin.path("settings/people"), fields)
    #expect(removed.status == 200 && removed.text.contains("without a passkey now"))
    #expect(!removed.text.contains("Remove the passkeys"))
    #expect(try await fixture.store.account(account.id)?.passkeyCount == 0)
  }

  @Test("without https at a name there are no passkeys, on no page")
  func plain() async throws {
    let fixture = try await Fixture()
    try await DashboardClient.join(email, .author, app: fixture.app.id, fixture)
    let client = DashboardClient(fixture, publicURL: "http://192.0.2.1:8080")
    #expect(await !client.get("/sign-in").text.contains("passkey\""))
    await client.signIn(email: email)
    #expect(await !client.get("/account").text.contains("Passkeys"))
    let answer = await client.post(
      "/account", ["action": "offer-passkey", "current": DashboardClient.password])
    #expect(answer.status == 422 && !answer.text.contains("data-passkey"))
  }
}
