import PushModel
import PushPayload

extension SQLPushStore {
  package func add(_ key: IdentityKey) async throws(StoreError) {
    try await write { db in
      let app = try Self.requiredNumber(of: key.app, db)
      let known = try Self.identityKeys(of: key.app, number: app, db)
      guard !known.contains(where: { $0.pem == key.pem }) else {
        throw StoreError(.conflict, "the app has this identity key already")
      }
      guard known.count < IdentityKey.limit else {
        throw StoreError(
          .conflict,
          "an app has at most \(IdentityKey.limit) identity keys: remove one that is no longer used"
        )
      }
      try db.queue(
        """
        INSERT INTO identity_keys (app, id, pem, created_at, expires_at)
        VALUES (\(app), \(key.id), \(key.pem), \(key.createdAt), \(key.expiresAt))
        """)
    }
  }

  package func identityKeys(app: String) async throws(StoreError) -> [IdentityKey] {
    try await readFewRows { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try Self.identityKeys(of: app, number: number, db)
    }
  }

  package func removeIdentityKey(_ id: String, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.number(of: app, db) else { return false }
      return try db.run("DELETE FROM identity_keys WHERE app = \(app) AND id = \(id)") > 0
    }
  }

  private static func identityKeys(
    of app: String, number: Int64, _ db: any SQLConnection
  ) throws -> [IdentityKey] {
    try db.rows(
      """
      SELECT id, pem, created_at, expires_at FROM identity_keys WHERE app = \(number)
      ORDER BY created_at, id
      """
    ) {
      IdentityKey(
        id: try $0.text("id"), app: app, pem: try $0.text("pem"),
        createdAt: try $0.time("created_at"),
        expiresAt: try $0.optionalTime("expires_at"))
    }
  }
}
