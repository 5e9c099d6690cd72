import PushPayload
import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

@Suite(
  "The multixacts of PostgreSQL", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLMultixactTests {
  /// A kind of request that devices or batches make, by the number of its run.
  struct Kind: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var run: @Sendable (any PushStore, Int) async throws -> Void

    init(
      _ name: String, _ run: @escaping @Sendable (any PushStore, Int) async throws -> Void
    ) {
      (testDescription, self.run) = (name, run)
    }
  }

  private static let app = "multi"
  private static func device(_ number: Int) -> String { "multi-\(number % 50)" }
  private static func receipt(_ number: Int, _ event: Receipt.Event) -> Receipt {
    Receipt(
      id: "\(number)", send: "hot", device: device(number), event: event, at: Sample.now)
  }

  static let kinds = [
    Kind("receipts") { store, number in
      let receipts = [receipt(number, .received), receipt(number, .displayed)]
      _ = try await store.record(receipts, app: app, at: Sample.now)
    },
    Kind("receipts with a webhook") { store, number in
      let notice = WebhookNotice(app: app, event: "made", data: .null, at: Sample.now)
      _ = try await store.recording(ChangeRecord(notice: notice)).record(
        [receipt(number, .dismissed)], app: app, at: Sample.now)
    },
    Kind("taps") { store, number in
      _ = try await store.record([receipt(number, .opened)], app: app, at: Sample.now)
    },
    Kind("openings") { store, number in
      try await store.recordOpen(device: device(number), app: app, at: Sample.now)
    },
    Kind("events") { store, number in
      let event = DeviceEvent(name: "play", id: "\(number)", send: "hot")
      _ = try await store.record([event], device: device(number), app: app, at: Sample.now)
    },
    Kind("impressions") { store, number in
      _ = try await store.record(
        Message.Impression.allCases[number / 50 % 3], of: "message", device: device(number),
        app: app, at: Sample.now)
    },
    Kind("marks of an inbox") { store, number in
      _ = try await store.mark(
        InboxMarks(read: ["message"]), device: device(number), app: app, at: Sample.now)
    },
    Kind("updates of devices") { store, number in
      var patch = DevicePatch()
      patch.tags = .set(["\(number)"])
      _ = try await store.update(device: device(number), app: app, patch, at: Sample.now)
    },
    Kind("registrations") { store, number in
      let patch = Sample.patch(token: "new\(number)")
      _ = try await store.update(device: "new-\(number)", app: app, patch, at: Sample.now)
    },
    Kind("tokens of activities") { store, number in
      let token = ActivityToken(
        .activity("order"), device: device(number), type: "Order", token: "\(number)")
      _ = try await store.register(token, app: app, at: Sample.now)
    },
    Kind("batches") { store, number in
      let batch = try await store.leaseBatch(
        LeaseRequest(owner: "\(number)", at: Sample.now, until: Sample.now + .seconds(60)))
      guard let batch else { return }
      _ = try await store.finish(
        batch, outcomes: batch.targets.map { StoreFixture.outcome($0) }, retries: [], alarm: nil,
        at: Sample.now)
    },
  ]

  @Test(
    "requests of devices and batches from two nodes at once take none", arguments: kinds.sampled(4))
  func none(kind: Kind) async throws {
    try await PostgreSQLCluster().use { cluster in
      let nodes = [
        try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller),
        try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller),
      ]
      let fixture = try await StoreFixture(nodes[0], Self.app)
      try await fixture.register(5000)
      for id in ["hot", "other"] { try await fixture.accept(id) }
      try await nodes[0].add(
        Webhook(
          id: "hook", app: Self.app, url: "https://example.com", events: ["made"],
          sealedSecret: [1], createdAt: Sample.now))
      try await nodes[0].add(
        Message(
          id: "message", app: Self.app, audience: "a", title: "T", content: [:],
          createdAt: Sample.now, unpublishAt: Sample.now + .days(1)))
      let before = try await Self.next(cluster)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<16 {
          group.addTask {
            for number in 0..<10 { try await kind.run(nodes[task % 2], task + number * 16) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await Self.next(cluster) == before)
    }
  }

  @Test("a row that two transactions share-lock takes one, which the other test would find")
  func control() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      _ = try await StoreFixture(store, Self.app)
      let before = try await Self.next(cluster)
      let connections = [
        try PostgreSQLConnection(url: cluster.url), try PostgreSQLConnection(url: cluster.url),
      ]
      for connection in connections {
        try connection.execute("BEGIN")
        _ = try connection.rows("SELECT 1 FROM apps FOR KEY SHARE") { _ in }
      }
      for connection in connections { try connection.execute("COMMIT") }
      #expect(try await Self.next(cluster) == before + 1)
    }
  }

  @Test("only tables that the app's server and people write to have foreign keys")
  func foreignKeys() async throws {
    try await PostgreSQLCluster().use { cluster in
      _ = try await PostgreSQLPushStore(url: cluster.url, connections: 1)
      let db = try PostgreSQLConnection(url: cluster.url)
      let tables = try db.rows(
        "SELECT DISTINCT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' ORDER BY 1"
      ) { $0.text(0) }
      #expect(
        tables == [
          "account_identities", "account_links", "account_passkeys", "account_roles",
          "account_sessions", "activities", "audiences", "channels", "identity_keys", "keys",
          "message_devices",
          "message_shards", "messages", "recovery_codes", "sends", "upload_pieces", "upload_uses",
          "uploads",
          "webhooks",
        ])
    }
  }

  /// The number of the next multixact.
  private static func next(_ cluster: PostgreSQLCluster) async throws -> Int {
    try await cluster.query("CHECKPOINT")
    let text = try await cluster.query("SELECT next_multixact_id FROM pg_control_checkpoint()")
    return try #require(Int(text))
  }
}
