package import PushModel
import _OpenSSLCrypto

extension AccountLink {
  /// The time after which a link expires.
  package static let lifetime = Duration.seconds(3 * 86_400)

  /// Makes a link for an account.
  ///
  /// - Returns: The path of its page, which holds the token and is shown once, and the record for the store.
  package static func make(
    account: String, by maker: Authority, at now: Timestamp
  ) -> (path: String, record: AccountLink) {
    let token = Identifiers.hex(OpenSSLCrypto.randomBytes(32))
    let record = AccountLink(
      hash: hash(of: token), account: account, by: maker, expiresAt: now + lifetime)
    return ("/invitation/\(token)", record)
  }

  static func hash(of token: String) -> [UInt8] { OpenSSLCrypto.sha256(Array(token.utf8)) }
}

extension AccountStore {
  /// Makes an account with a role, or gives an existing account the role, and makes a link for it.
  ///
  /// An existing account gets a link only if its person cannot sign in with the new role and the maker manages it.
  ///
  /// - Returns: The account, and the path of its link.
  package func invite(
    _ email: EmailAddress, name: String, grant: Account.Grant, by maker: Authority,
    at now: Timestamp
  ) async throws(StoreError) -> (account: Account, path: String?) {
    guard let known = try await account(email: email.text) else {
      let account = Account(
        id: Identifiers.makeObjectID(), email: email.text, name: name, grants: [grant],
        createdAt: now)
      let (path, link) = AccountLink.make(account: account.id, by: maker, at: now)
      try await add(account, link: link)
      return (account, path)
    }
    let changed =
      try await setRole(
        grant.role, app: grant.app, of: known.id, by: maker, at: now) ?? known
    guard changed.hasNotJoined, maker.refusal(of: .link, to: changed) == nil else {
      return (changed, nil)
    }
    return (changed, try await newLink(for: changed, by: maker, at: now))
  }

  /// Makes a link with which a person chooses a new password, and removes earlier links.
  ///
  /// - Returns: The link's path; `nil` if the account was removed meanwhile.
  package func newLink(
    for account: Account, by maker: Authority, at now: Timestamp
  ) async throws(StoreError) -> String? {
    let (path, link) = AccountLink.make(account: account.id, by: maker, at: now)
    return try await add(link) ? path : nil
  }
}
