import PushModel
import PushPayload

extension SQLPushStore {
  package func keptActivity(_ id: String, app: String) async throws(StoreError) -> KeptActivity? {
    try await readFewRows { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try db.row(
        """
        SELECT type, document, version, created_at FROM kept_activities
        WHERE app = \(number) AND id = \(id)
        """
      ) { row in
        let type = try row.text("type")
        let document = try row.json("document")
        let (version, createdAt) = try (row.int("version"), row.time("created_at"))
        return (type: type, document: document, version: version, createdAt: createdAt)
      }.map { row in
        guard
          let kept = KeptActivity(
            id: id, app: app, type: row.type, document: row.document, version: row.version,
            createdAt: row.createdAt)
        else {
          throw StoreError(.damaged, "the kept activity \(id) has a document that cannot be read")
        }
        return kept
      }
    }
  }

  package func dueKeepers(
    at now: Timestamp, limit: Int
  ) async throws(StoreError) -> [(app: String, id: String)] {
    try await read { db in
      // Two queries, because a divided database cannot join tables over all apps.
      let due = try db.rows(
        """
        SELECT app, id FROM kept_activities WHERE due_at <= \(now)
        ORDER BY due_at, app, id LIMIT \(limit)
        """
      ) { try (app: $0.integer("app"), id: $0.text("id")) }
      return try due.compactMap { row in
        let app = try db.row("SELECT id FROM apps WHERE number = \(row.app)") {
          try $0.text("id")
        }
        return app.map { (app: $0, id: row.id) }
      }
    }
  }

  package func sights(
    of kept: KeptActivity, adding devices: DeviceNumbers
  ) async throws(StoreError) -> [UInt32: KeptPhone.Sight] {
    try await read { db in
      guard let app = try Self.number(of: kept.app, db) else { return [:] }
      var sights: [UInt32: KeptPhone.Sight] = [:]
      for device in Array(kept.keeper.phones.keys) + Array(devices) {
        sights[device] = KeptPhone.Sight()
      }
      let subject = ActivityToken.Subject.activity(kept.id).text
      try db.forEachRow(
        of: """
          SELECT device, token FROM activity_tokens WHERE app = \(app) AND subject = \(subject)
          """
      ) { row in
        let device = try row.deviceNumber("device")
        sights[device, default: KeptPhone.Sight()].token = KeptPhone.mark(of: try row.text("token"))
      }
      let start = ActivityToken.Subject.start(type: kept.type).text
      try db.forEachRow(
        of: """
          SELECT device FROM activity_tokens WHERE app = \(app) AND subject = \(start)
          AND device \(db.dialect.among(sights.keys.map { Int64($0) }))
          """
      ) { row in
        let device = try row.deviceNumber("device")
        sights[device]?.canStart = true
      }
      // An erased device has no tokens.
      let others = DeviceNumbers(sights.filter { $1 == KeptPhone.Sight() }.keys)
      let found = try Self.rows(of: others, app: app, columns: "key, erased_at", db) { row in
        let number = DeviceKeys.number(of: try row.integer("key"))
        return (number: number, isErased: try row.optionalTime("erased_at") != nil)
      }
      for device in found where device.isErased { sights[device.number]?.isErased = true }
      return sights
    }
  }

  package func budgets(
    of devices: DeviceNumbers, app: String, at now: Timestamp
  ) async throws(StoreError) -> [UInt32: PhoneBudget] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      return try Self.budgets(of: Array(devices), app: app, at: now, db)
    }
  }

  private static func budgets(
    of devices: [UInt32], app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> [UInt32: PhoneBudget] {
    var budgets: [UInt32: PhoneBudget] = [:]
    try db.forEachRow(
      of: """
        SELECT device, kind, at FROM activity_expenses WHERE app = \(app)
        AND device \(db.dialect.among(devices.map { Int64($0) }))
        AND at > \(now + (.zero - PhoneBudget.startWindow)) ORDER BY at
        """
    ) { row in
      let device = try row.deviceNumber("device")
      let kind: PhoneBudget.Expense.Kind = try row.word("kind")
      budgets[device, default: PhoneBudget()].add(
        PhoneBudget.Expense(device: device, kind: kind, at: try row.time("at")))
    }
    return budgets
  }

  package func store(
    _ change: KeeperChange, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    let sends = change.sends.map { send, devices in
      NewSend(send, to: change.audience, segments: [Segment(dueAt: now, devices: devices)])
    }
    let isStored: Bool = try await write { db in
      guard let app = try Self.number(of: change.kept.app, db) else {
        throw Self.noApp(change.kept.app)
      }
      var change = change
      // They are locked first, as by the end of a batch, which then wakes the keeper.
      let withdrawn = try Self.waitingSends(change.withdrawn, of: change.kept.id, app: app, db)
      // The keeper takes them for refused.
      if !withdrawn.isEmpty { change.dueAt = now }
      // Another activity may have spent the same budgets meanwhile. The app's lock orders all who spend.
      let spenders = Set(change.spent.map(\.device)).sorted()
      if !spenders.isEmpty {
        _ = try Self.lockedNumber(of: change.kept.app, db)
        let current = try Self.budgets(of: spenders, app: app, at: now, db)
        let isSame = spenders.allSatisfy { device in
          current[device] ?? PhoneBudget() == change.budgets[device] ?? PhoneBudget()
        }
        guard isSame else { return false }
      }
      guard try Self.store(change, app: app, at: now, db) else { return false }
      for (send, key) in withdrawn {
        var send = send
        try Self.apply(event: .order(.cancel), to: &send, key: key, at: now, db)
      }
      for send in sends { _ = try self.insert(send, app: app, db) }
      let oldest = now + (.zero - PhoneBudget.startWindow)
      for expense in change.spent {
        try db.queue(
          """
          DELETE FROM activity_expenses WHERE app = \(app) AND device = \(Int64(expense.device))
          AND at <= \(oldest)
          """)
        try db.queue(
          """
          INSERT INTO activity_expenses (app, device, kind, at)
          VALUES (\(app), \(Int64(expense.device)), \(expense.kind.rawValue), \(expense.at))
          ON CONFLICT (app, device, kind, at) DO NOTHING
          """)
      }
      for expense in change.returned {
        try db.queue(
          """
          DELETE FROM activity_expenses WHERE app = \(app) AND device = \(Int64(expense.device))
          AND kind = \(expense.kind.rawValue) AND at = \(expense.at)
          """)
      }
      return true
    }
    if isStored, !sends.isEmpty { announce() }
    return isStored
  }

  /// The sends of an activity with some events that are not over and not being sent, locked.
  private static func waitingSends(
    _ events: Set<ActivityPush.Event>, of activity: String, app: Int64, _ db: any SQLConnection
  ) throws -> [(send: Send, key: SendKey)] {
    guard !events.isEmpty else { return [] }
    let keys = try db.rows(
      """
      SELECT number FROM sends WHERE app = \(app) AND activity = \(activity)
      AND state NOT IN ('complete', 'canceled', 'failed') ORDER BY number
      """
    ) { try SendKey(app: app, number: $0.integer("number")) }
    var waiting: [(send: Send, key: SendKey)] = []
    for key in keys {
      guard let send = try send(key, db), !send.state.isOver, let push = send.activity,
        events.contains(push.event)
      else { continue }
      let leased = try work(of: key, db).leased
      if leased == 0 { waiting.append((send: send, key: key)) }
    }
    return waiting
  }

  /// Stores the activity itself; `false` if another change came first.
  private static func store(
    _ change: KeeperChange, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    let kept = change.kept
    guard kept.version > 0 else {
      return try db.run(
        """
        INSERT INTO kept_activities (app, id, type, document, version, due_at, created_at)
        VALUES (\(app), \(kept.id), \(kept.type), \(kept.document), 1, \(change.dueAt),
          \(kept.createdAt))
        ON CONFLICT (app, id) DO NOTHING
        """) > 0
    }
    return try db.run(
      """
      UPDATE kept_activities SET type = \(kept.type), document = \(kept.document),
        version = version + 1, due_at = \(change.dueAt)
      WHERE app = \(app) AND id = \(kept.id) AND version = \(Int64(kept.version))
      """) > 0
  }

  package func stopKeeper(_ id: String, app: String) async throws(StoreError) {
    try await write(repeatable: true) { db in
      guard let app = try Self.number(of: app, db) else { return }
      try db.queue(
        """
        UPDATE kept_activities SET due_at = NULL, version = version + 1
        WHERE app = \(app) AND id = \(id)
        """)
    }
  }

  /// Makes a kept activity due, because a phone has another token of it, or APNs has answered.
  ///
  /// The version ascends, so that a change that began before cannot move the time away. A push-to-start token wakes
  /// nobody: keepers that wait for one look again.
  static func wakeKeeper(
    of subject: ActivityToken.Subject, app: Int64, _ db: any SQLConnection
  ) throws {
    guard case .activity(let id) = subject else { return }
    try db.queue(
      """
      UPDATE kept_activities SET due_at = 0, version = version + 1
      WHERE app = \(app) AND id = \(id)
      """)
  }
}

extension SQLPushStore {
  /// Makes the kept activities due of which a device has a token, before its tokens are removed.
  static func wakeKeepers(
    ofDevice number: UInt32, app: Int64, _ db: any SQLConnection
  ) throws {
    let prefix = ActivityToken.Subject.activity("").text
    try db.queue(
      """
      UPDATE kept_activities SET due_at = 0, version = version + 1
      WHERE app = \(app) AND id IN (
        SELECT substr(subject, \(raw: "\(prefix.count + 1)")) FROM activity_tokens
        WHERE app = $1 AND device = \(number) AND expires_at IS NOT NULL)
      """)
  }
}

extension KeptPhone {
  /// A mark by which a token is recognized, so that no token stands in a document: 64 bits of FNV-1a.
  static func mark(of token: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in token.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
