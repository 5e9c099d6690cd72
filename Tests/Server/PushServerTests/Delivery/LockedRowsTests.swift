import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing

@testable import PushServer

@Suite("Delivery of rows that another node has locked", .timeLimit(.minutes(10)))
struct LockedRowsTests {
  @Test(
    "a node that finds what is due locked asks again soon, and not without end",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func locked() async throws {
    try await PostgreSQLCluster().use { cluster in
      let nodes = try await CampaignNodes(url: cluster.url, devices: 1)
      let everyone = Audience(id: "all", app: nodes.app, filters: [], createdAt: nodes.clock.now)
      let send = Send(
        id: "s", messageID: "m", app: nodes.app, audience: "all", payload: ["alert": "Hi"],
        createdAt: nodes.clock.now)
      _ = try await nodes.stores[0].accept(send, to: everyone)
      let lock = Task {
        _ = try? await cluster.query(
          "BEGIN; SELECT number FROM segments FOR UPDATE; SELECT pg_sleep(3600)")
      }
      let sleepers = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
      try await until { try await cluster.query("SELECT count(*) \(sleepers)").contains("1") }
      let dispatcher = nodes.dispatcher(of: 0)
      #expect(await dispatcher.sendDueBatches() == .milliseconds(50))
      _ = try await cluster.query("SELECT pg_terminate_backend(pid) \(sleepers)")
      await lock.value
      #expect(await dispatcher.sendDueBatches() == nil)
      #expect(nodes.apple.taken.count == 1)
    }
  }
}
