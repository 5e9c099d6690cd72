import PushModel

extension SQLPushStore {
  package func sealMark() async throws(StoreError) -> [UInt8]? {
    try await readFewRows { db in try Self.sealMark(db) }
  }

  package func claimSealMark(_ mark: [UInt8]) async throws(StoreError) -> [UInt8] {
    try await write(repeatable: true) { db in
      try db.queue("INSERT INTO secret (number, mark) VALUES (1, \(mark)) ON CONFLICT DO NOTHING")
      return try Self.sealMark(db) ?? mark
    }
  }

  package func reseal(
    from old: [UInt8], to new: [UInt8],
    _ seal: @escaping @Sendable (SealedValue) throws(StoreError) -> [UInt8]
  ) async throws(StoreError) -> Int {
    let count = try await write { db in
      // This comes first: a transaction that stores a sealed value locks the row too, and sees the
      // new mark.
      let isOld =
        try db.run("UPDATE secret SET mark = \(new) WHERE mark = \(old)") == 1
      guard isOld else {
        throw StoreError(
          .conflict, "the values of the store are sealed with another secret by now; try again")
      }
      return try Self.apps(db).reduce(into: 0) { count, app in
        count += try Self.reseal(app, with: seal, db)
      } + Self.resealAccounts(with: seal, db)
    }
    try await purgeOverwrittenData()
    return count
  }

  /// The apps with their numbers, by which rows refer to them.
  private static func apps(
    _ db: any SQLConnection
  ) throws -> [(number: Int64, id: String, sealedKey: [UInt8])] {
    try db.rows("SELECT number, id, sealed_key FROM apps") {
      (try $0.integer("number"), try $0.text("id"), try $0.blob("sealed_key"))
    }
  }

  /// Seals the key of an app and the secrets of its webhooks anew.
  ///
  /// - Returns: The number of sealed values.
  private static func reseal(
    _ app: (number: Int64, id: String, sealedKey: [UInt8]),
    with seal: (SealedValue) throws(StoreError) -> [UInt8], _ db: any SQLConnection
  ) throws -> Int {
    let key = try seal(.apnsKey(app: app.id, app.sealedKey))
    try db.queue("UPDATE apps SET sealed_key = \(key) WHERE id = \(app.id)")
    let webhooks = try db.rows(
      "SELECT id, sealed_secret FROM webhooks WHERE app = \(app.number)"
    ) { try (id: $0.text("id"), sealed: $0.blob("sealed_secret")) }
    for webhook in webhooks {
      let secret = try seal(.webhookSecret(webhook: webhook.id, webhook.sealed))
      try db.queue(
        """
        UPDATE webhooks SET sealed_secret = \(secret) WHERE app = \(app.number)
        AND id = \(webhook.id)
        """)
    }
    return 1 + webhooks.count
  }

  /// Seals the secrets of all second factors anew.
  ///
  /// - Returns: The number of sealed values.
  private static func resealAccounts(
    with seal: (SealedValue) throws(StoreError) -> [UInt8], _ db: any SQLConnection
  ) throws -> Int {
    let accounts = try db.rows(
      "SELECT id, second_factor FROM accounts WHERE second_factor IS NOT NULL"
    ) { try (id: $0.text("id"), sealed: $0.blob("second_factor")) }
    for account in accounts {
      let secret = try seal(.secondFactor(account: account.id, account.sealed))
      try db.queue("UPDATE accounts SET second_factor = \(secret) WHERE id = \(account.id)")
    }
    return accounts.count
  }

  /// Checks that a value to be stored is sealed with the secret in use.
  ///
  /// A caller sealed it, or read it from the store, a moment ago; the secret may have been replaced
  /// meanwhile.
  static func checkSeal(_ sealed: [UInt8], _ db: any SQLConnection) throws {
    guard let mark = try sealMark(db, locking: true), !sealed.starts(with: mark) else { return }
    throw StoreError(
      .conflict, "the server's secret was changed while this was being stored; try again")
  }

  private static func sealMark(
    _ db: any SQLConnection, locking: Bool = false
  ) throws -> [UInt8]? {
    try db.row("SELECT mark FROM secret\(locking ? db.dialect.forUpdate : "")") {
      try $0.blob("mark")
    }
  }
}
