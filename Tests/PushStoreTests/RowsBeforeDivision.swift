import Testing

@testable import PushStore

/// Rows in every table as they were before each of them named its app by number: of three apps, whose
/// numbers do not follow their ids.
struct RowsBeforeDivision {
  static let apps = ["red": 2, "green": 1, "blue": 3]
  private static let devices = 40

  /// The statements that add them; `blob` makes a literal of hexadecimal digits.
  static func statements(sqlite: Bool) -> [String] {
    func blob(_ bytes: [UInt8]) -> String {
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      return sqlite ? "x'\(digits)'" : "'\\x\(digits)'"
    }
    var all: [String] = []
    func add(_ table: String, _ columns: String, _ values: String) {
      all.append("INSERT INTO \(table) (\(columns)) VALUES (\(values))")
    }
    let everyone = blob(DeviceNumbers(1...UInt32(devices)).packed)
    for (place, (app, number)) in apps.sorted(by: { $0.key < $1.key }).enumerated() {
      // Rows of all apps share the sequences of their tables.
      func row(_ index: Int) -> Int { place * 10 + index + 1 }
      add(
        "apps", "number, id, name, bundle_id, team_id, key_id, sealed_key, created_at",
        "\(number), '\(app)', 'n', 'b', 't', 'k', \(blob([1])), 0")
      add(
        "keys", "id, app, role, hash, created_at, allow",
        "'key-\(app)', '\(app)', 'push', \(blob([UInt8(number)])), 0, '[]'")
      for device in 1...devices {
        add(
          "devices",
          """
          key, app, id, token, platform, development, push_enabled, tags, attributes, events,
          created_at, updated_at, user_id
          """,
          """
          \(number << 32 | device), \(number), 'd\(device)', 'aa0\(device)', 'iOS', FALSE, TRUE,
          '["t"]', '{}', '{}', 0, 0, 'u\(device)'
          """)
        add("changes", "app, sequence, device", "\(number), \(device), \(device)")
      }
      add(
        "audiences", "id, app, name, test, filters, created_at, updated_at",
        "'everyone-\(app)', '\(app)', 'Everyone', FALSE, '[]', 0, 0")
      for (index, state) in ["complete", "sending", "scheduled"].enumerated() {
        add(
          "sends",
          """
          number, id, message_id, app, audience, payload, state, created_at, targeted, sent, rejected,
          uninstalled, delivered, displayed, opened, local_time, idempotency_key, group_name
          """,
          """
          \(row(index)), '\(app)-\(state)', '\(app)-m-\(state)', '\(app)', 'everyone-\(app)', '{}',
          '\(state)', \(index), \(devices), 0, 0, 0, 0, 0, 0, FALSE, 'k\(index)', 'g'
          """)
      }
      var outcomes = PackedOutcomes(devices: DeviceNumbers(1...UInt32(devices)))
      _ = outcomes.merge(
        (1...UInt32(devices)).map { device in
          Outcome(
            device: device, result: .sent, status: 200, reason: nil,
            time: Timestamp(milliseconds: 5), token: nil)
        })
      let batch = "id, send, first, last, devices, outcomes, due_at, waits, lease, fruitless"
      add(
        "batches", batch,
        """
        \(row(0)), \(row(0)), 1, \(devices), \(everyone), \(blob(outcomes.packed)), NULL, FALSE, 1, 0
        """)
      add(
        "batches", batch,
        "\(row(1)), \(row(1)), 1, \(devices), \(everyone), NULL, \(place), TRUE, 0, 0")
      add(
        "segments", "id, send, devices, taken, due_at, waits",
        "\(row(0)), \(row(2)), \(everyone), 0, \(100 + place), TRUE")
      add(
        "messages",
        """
        number, id, app, audience, send, title, content, created_at, publish_at, unpublish_at,
        seen_0, seen_1, seen_2
        """,
        """
        \(row(0)), 'm-\(app)', '\(app)', 'everyone-\(app)', '\(app)-complete', 'T', '{}', 0, 0, 1000,
        0, 1, 0
        """)
      add(
        "impressions", "message, device, kind, at",
        "\(row(0)), 7, \(Message.Impression.detail.rawValue), 3")
      add(
        "receipts", "app, id, send, device, event, at, media, reason",
        "\(number), 'r', \(row(0)), 7, 'received', 3, NULL, NULL")
      add(
        "tallies", "send, kind, name, count", "\(row(0)), 'mediaFailure', 'slow', \(number)")
      add("counters", "app, counter, time, count", "\(number), 'opens', 0, 4")
      add("active_devices", "app, day, device", "\(number), 0, 7")
      add(
        "webhooks", "id, app, url, events, sealed_secret, created_at",
        "'w-\(app)', '\(app)', 'https://example.com', '[]', \(blob([2])), 0")
      add(
        "webhook_calls", "id, webhook, event, body, created_at, due_at, lease, attempts",
        "\(row(0)), 'w-\(app)', 'e', '{}', 0, \(place), 0, 0")
      add("audit", "app, action, at", "'\(app)', 'a', 0")
      add(
        "send_hours", "send, time, kind, name, count", "\(row(0)), 0, 'sent', '', \(devices)")
      add(
        "attributions", "app, device, send, received_at, direct",
        "\(number), 7, \(row(0)), 3, FALSE")
      add("uploads", "name, app, created_at", "'\(app).png', '\(app)', 0")
      add("upload_uses", "upload, send", "'\(app).png', \(row(0))")
      add("upload_uses", "upload, message", "'\(app).png', \(row(0))")
      if !sqlite { add("upload_pieces", "upload, number, bytes", "'\(app).png', 0, \(blob([9]))") }
    }
    if !sqlite {
      // Where the server's own counting has got to.
      for (table, column) in [
        ("sends", "number"), ("messages", "number"), ("batches", "id"), ("segments", "id"),
        ("webhook_calls", "id"),
      ] {
        all.append(
          "SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), 100)")
      }
    }
    return all
  }

  /// Every table with rows of an app.
  static let tables = [
    "apps", "keys", "devices", "changes", "audiences", "sends", "batches", "segments", "messages",
    "impressions", "receipts", "tallies", "counters", "active_devices", "webhooks", "webhook_calls",
    "audit", "send_hours", "attributions", "uploads", "upload_uses",
  ]

  /// Expects that a store of this version finds every row where it belongs, and goes on with it.
  static func expectAll(in store: some SQLPushStore) async throws {
    for (app, number) in apps {
      let world = StoreWorld(existing: store, app)
      #expect(try await store.deviceCount(app: app) == devices)
      #expect(try await store.device("d7", app: app)?.userID == "u7")
      #expect(try await store.lastChange(app: app) == Int64(devices))
      let listed = try await store.audiences(app: app, after: nil, limit: 5)
      #expect(listed.elements.map(\.id) == ["everyone-\(app)"])
      #expect(listed.elements.map(\.app) == [app])
      let sends = try await store.sends(app: app, after: nil, limit: 5)
      #expect(sends.sends.map(\.state) == [.scheduled, .sending, .complete])
      #expect(sends.sends.map(\.app) == [app, app, app])
      let done = "\(app)-complete"
      #expect(try await store.send("\(app)-m-complete", app: app)?.id == done)
      #expect(try await store.outcome(of: done, app: app, device: 7)?.status == 200)
      #expect(try await store.mediaFailures(of: done, app: app) == ["slow": number])
      #expect(try await store.hours(of: done, app: app).map(\.sent) == [devices])
      let device = try #require(try await store.device("d7", app: app))
      #expect(try await store.receipts(of: done, device: device, app: app).map(\.id) == ["r"])
      let stream = try await store.stream(
        device: "d7", app: app, at: Timestamp(milliseconds: 500), after: nil, limit: 5)
      #expect(stream.elements.map(\.message.id) == ["m-\(app)"])
      #expect(stream.elements.map(\.isRead) == [true])
      #expect(try await store.webhooks(app: app).map(\.id) == ["w-\(app)"])
      #expect(try await store.upload("\(app).png")?.app == app)
      // The first of the new rows gets a number that none has.
      try await world.accept("\(app)-new")
    }
    let now = Sample.now + .seconds(1)
    var called: Set<String> = []
    while let call = try await store.leaseWebhookCall(owner: "a", at: now, until: now + .seconds(9))
    {
      #expect(call.webhook.id == "w-\(call.webhook.app)")
      called.insert(call.webhook.app)
      try await store.finish(call, retryAt: nil)
    }
    #expect(called == Set(apps.keys))
    // What waited goes out, each app's to its own devices.
    let world = StoreWorld(existing: store, "red")
    try await world.drain(at: now)
    for app in apps.keys {
      for id in ["sending", "scheduled", "new"] {
        let send = try #require(try await store.send("\(app)-\(id)", app: app))
        #expect(send.state == .complete, "\(send.id)")
        #expect(send.counts.sent == devices, "\(send.id)")
      }
    }
  }

  /// Expects that with an app all of its rows go, and those of no other.
  static func expectRemoval(in store: some SQLPushStore) async throws {
    #expect(try await store.deleteApp("red"))
    let left: [String: Set<Int64>] = try await store.read { db in
      var left: [String: Set<Int64>] = [:]
      for table in tables where !["apps", "keys", "audit"].contains(table) {
        left[table] = Set(try db.rows("SELECT app FROM \(table)", []) { $0.integer(0) })
      }
      return left
    }
    for (table, apps) in left {
      // No call and no segment is left.
      #expect(apps.isSubset(of: [1, 3]), "\(table)")
      let isDone = ["segments", "webhook_calls"].contains(table)
      #expect(isDone || apps.count == 2, "\(table)")
    }
  }
}
