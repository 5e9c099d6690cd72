import PushModel
import PushPayload

extension SQLPushStore {
  package func setReloadTokens(
    _ tokens: [ReloadToken], of type: ReloadType, device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write(repeatable: true) { db in
      guard let app = try Self.lockedNumber(of: app, db),
        let device = try Self.device(where: .id, is: id, app: app, db)
      else { return false }
      guard device.erasedAt == nil else { throw Self.erased(id) }
      try db.queue(
        """
        DELETE FROM reload_tokens WHERE app = \(app) AND device = \(device.number)
        AND type = \(type.rawValue) AND NOT token \(db.dialect.among(tokens.map(\.token)))
        """)
      try db.queue(
        given: [.text("token"), .text("kind")],
        rows: tokens.map { [.text($0.token), .optional($0.kind)] }
      ) { given in
        """
        INSERT INTO reload_tokens (app, type, token, device, kind, at, counted, counted_from)
        SELECT \(app), \(type.rawValue), given.token, \(device.number), given.kind, \(now), 0, 0
        FROM \(given) WHERE TRUE
        ON CONFLICT (app, type, token) DO UPDATE SET device = excluded.device,
          kind = excluded.kind, at = excluded.at
        """
      }
      return true
    }
  }

  package func reloadTokens(
    of devices: DeviceNumbers, app: String
  ) async throws(StoreError) -> [StoredReloadToken] {
    guard !devices.isEmpty else { return [] }
    return try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT device, type, token, kind, at FROM reload_tokens WHERE app = \(app)
        AND device \(db.dialect.among(devices.map { Int64($0) })) ORDER BY device, type, token
        """
      ) { row in
        let device = try row.deviceNumber("device")
        let type: ReloadType = try row.word("type")
        let token = try ReloadToken(row.text("token"), kind: row.optionalText("kind"))
        return StoredReloadToken(type, token, device: device, registeredAt: try row.time("at"))
      }
    }
  }

  package func devices(
    withReloads type: ReloadType, kinds: [String]?, app: String
  ) async throws(StoreError) -> DeviceNumbers {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return DeviceNumbers() }
      return DeviceNumbers(
        try db.rows(
          """
          SELECT DISTINCT device FROM reload_tokens
          WHERE \(Self.reloads(type, kinds: kinds, app: app, db.dialect)) ORDER BY device
          """
        ) { try $0.deviceNumber("device") })
    }
  }

  package func countReloads(
    _ type: ReloadType, kinds: [String]?, of devices: DeviceNumbers, app: String, at now: Timestamp
  ) async throws(StoreError) -> [ReloadTarget] {
    guard !devices.isEmpty else { return [] }
    return try await write { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      let chosen: SQL = """
        \(Self.reloads(type, kinds: kinds, app: app, db.dialect))
        AND device \(db.dialect.among(devices.map { Int64($0) }))
        """
      let known = try db.rows(
        "SELECT device, token FROM reload_tokens WHERE \(chosen) ORDER BY device, token"
      ) { try ($0.deviceNumber("device"), $0.text("token")) }
      let start = now + (.zero - ReloadBudget.window)
      // Times of a clock that was set back begin a new day, too.
      let counted = try db.changedRows(
        """
        UPDATE reload_tokens SET
          counted = CASE WHEN counted_from > \(start) AND counted_from <= \(now)
            THEN counted + 1 ELSE 1 END,
          counted_from = CASE WHEN counted_from > $1 AND counted_from <= $2
            THEN counted_from ELSE $2 END
        WHERE \(chosen) AND NOT (
          counted_from > $1 AND counted_from <= $2 AND counted >= \(ReloadBudget.limit))
        RETURNING token
        """
      ) { try $0.text("token") }
      return try Self.targets(of: known, counted: Set(counted), app: app, db)
    }
  }

  package func finishReloads(
    _ outcomes: [ReloadOutcome], of type: ReloadType, app: String
  ) async throws(StoreError) {
    guard outcomes.contains(where: { $0.result != .sent || $0.learnedDevelopment != nil }) else {
      return
    }
    try await write { db in
      guard let app = try Self.lockedNumber(of: app, db) else { return }
      for outcome in outcomes {
        let token: SQL = """
          app = \(app) AND type = \(type.rawValue) AND token = \(outcome.target.token)
          AND device = \(outcome.target.device)
          """
        switch outcome.result {
        case .sent, .held: break
        case .failed where outcome.mayHaveArrived: break
        case .failed:
          try db.queue(
            "UPDATE reload_tokens SET counted = counted - 1 WHERE \(token) AND counted > 0")
        case .gone:
          try db.queue(
            """
            DELETE FROM reload_tokens WHERE \(token)
            AND (CAST(\(outcome.goneSince) AS BIGINT) IS NULL OR at <= $5)
            """)
        }
        guard let isDevelopment = outcome.learnedDevelopment else { continue }
        try db.queue(
          """
          UPDATE devices SET development = \(isDevelopment)
          WHERE \(DeviceKeys(app: app).isDevice(outcome.target.device))
          """)
        try Self.log(outcome.target.device, app: app, db)
      }
    }
  }

  // MARK: Rows

  /// The condition of the tokens of a type, and with `kinds` of controls of these kinds.
  private static func reloads(
    _ type: ReloadType, kinds: [String]?, app: Int64, _ dialect: SQLDialect
  ) -> SQL {
    let all: SQL = "app = \(app) AND type = \(type.rawValue)"
    return kinds.map { "\(all) AND kind \(dialect.among($0))" } ?? all
  }

  /// The targets of known tokens, of which those that were not counted are held.
  private static func targets(
    of known: [(device: UInt32, token: String)], counted: Set<String>, app: Int64,
    _ db: any SQLConnection
  ) throws -> [ReloadTarget] {
    let found = try rows(
      of: DeviceNumbers(known.map(\.device)), app: app, columns: "key, id, development", db
    ) { row in
      let number = DeviceKeys.number(of: try row.integer("key"))
      return (number, (id: try row.text("id"), isDevelopment: try row.bool("development")))
    }
    let devices = Dictionary(found, uniquingKeysWith: { $1 })
    return known.compactMap { number, token in
      devices[number].map { device in
        ReloadTarget(
          device: number, deviceID: device.id, isDevelopment: device.isDevelopment, token: token,
          isHeld: !counted.contains(token))
      }
    }
  }
}
