import TestSupport
import Testing

@testable import PushModel
@testable import PushStore

@Suite("Rows that belong to others", .serialized, .timeLimit(.minutes(10)))
struct OwnedTablesTests {
  let directory = TemporaryFolder()

  @Test("are removed with their send, message or webhook on SQLite, and no others")
  func sqlite() async throws {
    try await check(SQLitePushStore(path: directory.path("owned.sqlite")))
  }

  @Test(
    "are removed with their send, message or webhook on PostgreSQL, and no others",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await check(PostgreSQLPushStore(url: cluster.url, leaseClock: .caller))
    }
  }

  private func check(_ store: some SQLPushStore) async throws {
    try await AppRows.fill(store)
    let tables = [
      "sends", "segments", "batches", "receipts", "tallies", "send_hours", "messages",
      "message_states", "impressions", "message_devices", "message_shards", "webhooks",
      "webhook_calls",
    ]
    let removed: Int64 = 2
    try await store.write { db in
      try OwnedTables.removeSends(where: "TRUE", app: removed, db)
      try OwnedTables.removeMessages(where: "TRUE", app: removed, db)
      _ = try OwnedTables.removeWebhooks(where: "TRUE", app: removed, db)
    }
    let apps = try await AppRows.apps(in: store)
    for table in tables { #expect(apps[table] == [1], "\(table)") }
    for table in ["devices", "changes", "counters"] { #expect(apps[table] == [1, 2], "\(table)") }
  }

  @Test("are removed when their device is erased, except for its receipts")
  func erasure() async throws {
    try await checkErasure(SQLitePushStore(path: directory.path("erased.sqlite")))
    guard PostgreSQLCluster.isInstalled else { return }
    try await PostgreSQLCluster().use { cluster in
      try await checkErasure(PostgreSQLPushStore(url: cluster.url, leaseClock: .caller))
    }
  }

  private func checkErasure(_ store: some SQLPushStore) async throws {
    try await AppRows.fill(store)
    for name in ["deleted-0", "deleted-1"] {
      let erased = try await store.erase(device: name, app: "deleted", at: Sample.now)
      #expect(erased?.erasedAt == Sample.now)
    }
    let apps = try await AppRows.apps(in: store)
    for table in [
      "attributions", "event_ids", "impressions", "message_devices", "message_states",
      "activity_tokens", "activity_expenses", "reload_tokens",
    ] { #expect(apps[table] == [1], "\(table)") }
    #expect(apps["receipts"] == [1, 2])
  }

  @Test("an app whose row is locked for its deletion takes no changes of devices afterwards")
  func deletedMeanwhile() async throws {
    guard PostgreSQLCluster.isInstalled else { return }
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      let fixture = try await StoreFixture(store, "going")
      try await fixture.register(4)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            for event in 0..<25 {
              _ = try await store.record(
                [DeviceEvent(name: "play", id: "\(event)")], device: "going-\(number)",
                app: "going", at: Sample.now)
            }
          }
        }
        group.addTask { _ = try await store.deleteApp("going") }
        try await group.waitForAll()
      }
      for (table, apps) in try await AppRows.apps(in: store) {
        #expect(apps.isEmpty, "\(table)")
      }
    }
  }
}
