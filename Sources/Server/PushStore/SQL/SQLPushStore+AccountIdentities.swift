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
    _ identity: AccountIdentity, to account: String, name: String?, in session: [UInt8]?
  ) async throws(StoreError) -> AccountRefusal? {
    try await write { db in
      guard try Self.exists(account, db) else { return .noAccount }
      if let session, try !Self.isOpen(session, of: account, db) { return .changed }
      if let refusal = try Self.insert(identity, of: account, db) { return refusal }
      if let name {
        try db.queue("UPDATE accounts SET name = \(name) WHERE id = \(account) AND name = ''")
      }
      try Self.removeLinks(of: account, db)
      return nil
    }
  }

  package func disconnect(_ account: String) async throws(StoreError) -> AccountRefusal? {
    try await write { db in
      guard try Self.exists(account, db), let now = try Self.account(where: "id = \(account)", db)
      else { return .noAccount }
      guard now.isConnected else { return .notFound }
      guard now.password != nil else { return .lastWay }
      try db.queue("DELETE FROM account_identities WHERE account = \(account)")
      return nil
    }
  }

  /// Adds an identity to an account, unless another account has it.
  ///
  /// - Returns: The reason why the account does not have it; `nil` if it does.
  static func insert(
    _ identity: AccountIdentity, of account: String, _ db: any SQLConnection
  ) throws -> AccountRefusal? {
    try db.queue(
      """
      INSERT INTO account_identities (issuer, subject, account)
      VALUES (\(identity.issuer), \(identity.subject), \(account))
      ON CONFLICT DO NOTHING
      """)
    let owner = try db.row(
      """
      SELECT account FROM account_identities WHERE issuer = \(identity.issuer)
      AND subject = \(identity.subject)
      """
    ) { try $0.text("account") }
    return owner == account ? nil : owner == nil ? .otherIdentity : .taken
  }
}
