import PushModel
import Testing

@testable import PushServer

extension DashboardClient {
  static let password = "correct horse battery"

  /// Makes an account whose person has chosen ``password``.
  @discardableResult
  static func join(
    _ email: String, _ role: Account.Role, app: String?, _ fixture: Fixture,
    name: String = "Ada Lovelace"
  ) async throws -> Account {
    let address = try #require(EmailAddress(email))
    let grant = Account.Grant(role, app: app)
    let now = fixture.clock.now
    let (_, path) = try await fixture.store.invite(
      address, name: "", grant: grant, by: .commandLine, at: now)
    let token = try #require(path?.split(separator: "/").last)
    let hash = try PasswordHash(of: password, cost: .cheap)
    return try #require(
      try await fixture.store.redeem(
        link: AccountLink.hash(of: String(token)), name: name, with: .password(hash.text), at: now))
  }

  /// A client of a person with a role in the fixture's app.
  static func person(
    _ email: String, _ role: Account.Role, _ fixture: Fixture, name: String = "Ada Lovelace"
  ) async throws -> DashboardClient {
    try await join(email, role, app: fixture.app.id, fixture, name: name)
    let client = DashboardClient(fixture)
    let answer = await client.signIn(email: email)
    #expect(answer.status == 303, "\(answer.text)")
    return client
  }

  @discardableResult
  func signIn(
    email: String, password: String = password, from address: String = "127.0.0.1",
    agent: String = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
  ) async -> Fixture.Answer {
    _ = await get("/sign-in")
    return await post(
      "/sign-in/account", ["email": email, "password": password],
      headers: [("User-Agent", agent)], from: address)
  }

  /// Tries a wrong password for an account from another browser.
  func guess(_ email: String, from address: String) async -> Int {
    await DashboardClient(sharing: self).signIn(email: email, password: "wrong", from: address)
      .status
  }

  /// The audit entries of the server's log and the app's, the newest first, without the times.
  func auditEntries(_ action: String) async throws -> [AuditEntry] {
    try await fixture.store.audit(app: nil, after: nil, limit: 100).elements.filter {
      $0.action == action
    }
      + fixture.store.audit(app: fixture.app.id, after: nil, limit: 100).elements.filter {
        $0.action == action
      }
  }
}
