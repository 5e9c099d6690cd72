import PushModel
import Testing

@testable import PushServer

@Suite("A second factor that admins need", .timeLimit(.minutes(10)))
struct SecondFactorPolicyTests {
  private func signIn(
    _ role: Account.Role, isRequired: Bool
  ) async throws -> (client: DashboardClient, account: Account, landing: String?) {
    let fixture = try await Fixture()
    let account = try await DashboardClient.join(
      "ada@example.com", role, app: fixture.app.id, fixture)
    let client = DashboardClient(fixture, requiresSecondFactor: isRequired)
    let answer = await client.signIn(email: account.email)
    return (client, account, answer.headers["Location"])
  }

  private func addFactor(_ client: DashboardClient, _ account: Account) async throws {
    try await client.fixture.store.setSecondFactor(
      SecondFactor(
        sealedSecret: client.fixture.secretKey.seal("s", as: .secondFactor, for: account.id),
        lastStep: 0, recoveryCodes: []), of: account.id)
  }

  @Test(
    "an admin without one is led to set it up before anything else, and no other role is",
    arguments: Account.Role.allCases, [true, false])
  func admission(role: Account.Role, isRequired: Bool) async throws {
    let (client, account, landing) = try await signIn(role, isRequired: isRequired)
    let isRefused = isRequired && role == .admin
    #expect((landing == AccountPages.path) == isRefused)
    let page = await client.get(client.path("sends"))
    #expect((page.headers["Location"] == AccountPages.path) == isRefused)
    let home = await client.get("/")
    #expect((home.headers["Location"] == AccountPages.path) == isRefused)
    let own = await client.get(AccountPages.path)
    #expect(own.status == 200)
    #expect(own.text.contains("Admins need a second factor") == isRefused)
    let form = await client.post(client.path("audiences/new"), ["action": "save", "name": "A"])
    #expect((form.headers["Location"] == AccountPages.path) == isRefused)
    guard isRefused else { return }
    try await addFactor(client, account)
    #expect(await client.get(client.path("sends")).status == 200)
  }

  @Test("an admin does not turn it off, and others do")
  func turningOff() async throws {
    for (role, status) in [(Account.Role.admin, 403), (.author, 303)] {
      let (client, account, _) = try await signIn(role, isRequired: true)
      try await addFactor(client, account)
      let own = await client.get(AccountPages.path).text
      #expect(own.contains("value=\"turn-off\"") == (role != .admin))
      let answer = await client.post(
        AccountPages.path, ["action": "turn-off", "current": DashboardClient.password])
      #expect(answer.status == status)
    }
  }
}
