import PushModel
import PushPayload

extension SQLPushStore {
  package func register(
    _ token: ActivityToken, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write(repeatable: true) { db in
      // The lock makes each of two concurrent new tokens see the other, so the limit holds.
      guard let app = try Self.lockedNumber(of: app, db),
        let device = try Self.device(where: .id, is: token.device, app: app, db)
      else { return false }
      guard device.erasedAt == nil else { throw Self.erased(token.device) }
      let subject = SQLValue.text(token.subject.text)
      let number = SQLValue.integer(Int64(device.number))
      // A token belongs to one device. An update token is for one activity, while types may share a
      // start token.
      try db.queue(
        """
        DELETE FROM activity_tokens
        WHERE app = \(app) AND token = \(token.token)
          AND (device <> \(number) OR (subject <> \(subject) AND expires_at IS NOT NULL))
        """)
      try db.queue(
        """
        INSERT INTO activity_tokens (app, subject, device, type, token, at, expires_at)
        VALUES (\(app), \(subject), \(number), \(token.type), \(token.token), \(now),
          \(token.subject.expires ? now + ActivityToken.life : nil))
        ON CONFLICT (app, subject, device) DO UPDATE SET type = excluded.type,
          token = excluded.token, at = excluded.at, expires_at = excluded.expires_at
        """)
      let others: SQL = """
        app = \(app) AND device = \(number) AND subject <> \(subject)
        AND expires_at IS \(raw: token.subject.expires ? "NOT NULL" : "NULL")
        """
      try db.queue(
        """
        DELETE FROM activity_tokens WHERE \(others) AND subject IN (
          SELECT subject FROM activity_tokens WHERE \(others)
          ORDER BY at DESC, subject LIMIT 1000 OFFSET \(raw: "\(ActivityToken.limit - 1)"))
        """)
      try Self.wakeKeeper(of: token.subject, app: app, db)
      return true
    }
  }

  package func removeToken(
    for subject: ActivityToken.Subject, device: String, only token: String?, app: String
  ) async throws(StoreError) {
    try await write(repeatable: true) { db in
      guard let app = try Self.number(of: app, db),
        let device = try Self.device(where: .id, is: device, app: app, db)
      else { return }
      try db.queue(
        """
        DELETE FROM activity_tokens WHERE app = \(app) AND subject = \(subject.text)
        AND device = \(device.number)
        AND (CAST(\(token) AS TEXT) IS NULL OR token = $4)
        """)
      try Self.wakeKeeper(of: subject, app: app, db)
    }
  }

  package func devices(
    with subject: ActivityToken.Subject, app: String
  ) async throws(StoreError) -> DeviceNumbers {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return DeviceNumbers() }
      return DeviceNumbers(
        try db.rows(
          "SELECT device FROM activity_tokens WHERE app = \(app) AND subject = \(subject.text)"
        ) { try $0.deviceNumber("device") })
    }
  }

  /// The devices of a batch with their tokens for an activity, or the channel of a broadcast.
  static func targets(
    _ numbers: DeviceNumbers, of push: ActivityPush, app: Int64, _ db: any SQLConnection
  ) throws -> [Batch.Target] {
    if let channel = push.broadcastChannel {
      let isDevelopment = try db.row(
        "SELECT development FROM channels WHERE app = \(app) AND id = \(channel)"
      ) { try $0.bool("development") }
      return numbers.map { number in
        Batch.Target(
          number: number, id: channel, token: isDevelopment == nil ? nil : channel,
          isDevelopment: isDevelopment ?? false)
      }
    }
    guard let first = numbers.first, let last = numbers.last else { return [] }
    let tokens = try db.rows(
      """
      SELECT device, token FROM activity_tokens
      WHERE app = \(app) AND subject = \(push.subject.text) AND device BETWEEN \(first) AND \(last)
      """
    ) { try ($0.deviceNumber("device"), $0.text("token")) }
    let known = Dictionary(tokens, uniquingKeysWith: { $1 })
    let found = try rows(
      of: numbers, app: app, columns: "key, id, development", db
    ) { row in
      let number = try DeviceKeys.number(of: row.integer("key"))
      return Batch.Target(
        number: number, id: try row.text("id"), token: known[number],
        isDevelopment: try row.bool("development"))
    }
    return complete(found, numbers)
  }

  // MARK: Rows

  /// Removes the tokens of a device beside its push token, with what is counted of them, and tells keepers that show
  /// an activity there.
  static func removeFurtherTokens(
    ofDevice number: UInt32, app: Int64, _ db: any SQLConnection
  ) throws {
    try wakeKeepers(ofDevice: number, app: app, db)
    for table in ["activity_tokens", "activity_expenses", "reload_tokens"] {
      try db.queue("DELETE FROM \(raw: table) WHERE app = \(app) AND device = \(number)")
    }
  }

  /// Remembers the environment of an activity's token for its device, unless the app has registered a push token since.
  private static func learn(
    _ isDevelopment: Bool, from outcome: Outcome, of push: ActivityPush, app: Int64,
    _ db: any SQLConnection
  ) throws {
    guard try lockDevices(of: app, db) else { return }
    let registered = try db.row(
      """
      SELECT at FROM activity_tokens WHERE app = \(app) AND subject = \(push.subject.text)
      AND device = \(outcome.device) AND token = \(outcome.token)
      """
    ) { try $0.time("at") }
    guard let registered else { return }
    let changed = try db.run(
      """
      UPDATE devices SET development = \(isDevelopment)
      WHERE \(DeviceKeys(app: app).isDevice(outcome.device))
      AND (token_at IS NULL OR token_at <= \(registered))
      """)
    if changed > 0 { try log(outcome.device, app: app, db) }
  }

  /// Removes tokens that APNs refused, and tokens to which the end of their activity was sent.
  ///
  /// A token that the app has registered since stays. The reasons of failed pushes are counted.
  static func updateTokens(
    from outcomes: [Outcome], of push: ActivityPush, send: SendKey, _ db: any SQLConnection
  ) throws {
    var failures: [String: Int64] = [:]
    var removed = 0
    for outcome in outcomes {
      if outcome.result != .sent {
        failures[outcome.reason ?? outcome.status.map(String.init) ?? "unknown", default: 0] += 1
      }
      if let isDevelopment = outcome.learnedDevelopment {
        try learn(isDevelopment, from: outcome, of: push, app: send.app, db)
      }
      let isGone = outcome.result == .uninstalled || outcome.reason == "BadDeviceToken"
      let isEnded = push.event == .end && outcome.result == .sent && !push.isKept
      guard isGone || isEnded, let token = outcome.token else { continue }
      removed += try db.run(
        """
        DELETE FROM activity_tokens WHERE app = \(send.app) AND subject = \(push.subject.text)
        AND device = \(outcome.device) AND token = \(token)
        AND (CAST(\(outcome.goneSince) AS BIGINT) IS NULL OR at <= $5)
        """)
    }
    for (reason, count) in failures.sorted(by: { $0.key < $1.key }) {
      try tally(.pushFailure, named: reason, by: count, send: send, db)
    }
    if push.isKept { try wakeKeeper(of: .activity(push.id), app: send.app, db) }
    guard removed > 0 else { return }
    try db.queue(
      """
      UPDATE activities SET removed = removed + \(removed) WHERE app = \(send.app)
      AND id = \(push.id)
      """)
  }
}
