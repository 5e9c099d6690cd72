import PushModel

extension SQLPushStore {
  package func account(_ identity: AccountIdentity) async throws(StoreError) -> Account? {
    try await readFewRows { db in
      try Self.account(
        where: """
          id = (SELECT account FROM account_identities
            WHERE issuer = \(identity.issuer) AND subject = \(identity.subject))
          """, db)
    }
  }

  package func connect(
    _ identity: AccountIdentity, to account: String, name: String?
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard try Self.exists(account, db), try Self.insert(identity, of: account, db) else {
        return false
      }
      if let name {
        try db.queue("UPDATE accounts SET name = \(name) WHERE id = \(account) AND name = ''")
      }
      try Self.removeLinks(of: account, db)
      return true
    }
  }

  package func disconnect(_ account: String) async throws(StoreError) -> Bool {
    try await write { db in
      guard try Self.exists(account, db) else { return false }
      return try db.run(
        """
        DELETE FROM account_identities WHERE account = \(account)
          AND EXISTS (SELECT 1 FROM accounts WHERE id = $1 AND password IS NOT NULL)
        """) > 0
    }
  }

  /// Adds an identity to an account, unless another account has it.
  ///
  /// - Returns: `false` if another account has it, or the account has a different identity of the issuer.
  static func insert(
    _ identity: AccountIdentity, of account: String, _ db: any SQLConnection
  ) throws -> Bool {
    try db.queue(
      """
      INSERT INTO account_identities (issuer, subject, account)
      VALUES (\(identity.issuer), \(identity.subject), \(account))
      ON CONFLICT DO NOTHING
      """)
    return try db.row(
      """
      SELECT account FROM account_identities WHERE issuer = \(identity.issuer)
      AND subject = \(identity.subject)
      """
    ) { try $0.text("account") } == account
  }
}
