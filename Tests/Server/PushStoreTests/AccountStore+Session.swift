import PushModel
import Testing

extension AccountStore {
  /// Adds a session of a person who has just signed in to the account as it is stored.
  func add(_ session: AccountSession) async throws {
    let account = try #require(try await account(session.account))
    #expect(try await add(session, of: account) == nil)
  }
}

extension AccountIdentityStore {
  /// Adds an identity to an account by signing in with it.
  func connect(
    _ identity: AccountIdentity, to account: String, name: String?
  ) async throws -> AccountRefusal? {
    try await connect(identity, to: account, name: name, in: nil)
  }
}
