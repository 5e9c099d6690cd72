import APNs
import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore
import TestSupport
import Testing

@testable import MartletCommands

/// Three processes of this version are the older nodes; the newer one is a server in this process,
/// whose schema has one step more.
@Suite(
  "Upgrading three nodes in the middle of a send", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct RollingUpgradeTests {
  let directory = TemporaryFolder()

  private static let added = SchemaSteps(
    SchemaSteps.postgreSQL.steps + [
      .init(
        """
        ALTER TABLE devices ADD COLUMN note TEXT;
        ALTER TABLE sends ADD COLUMN note TEXT NOT NULL DEFAULT '';
        ALTER TABLE segments ADD COLUMN note TEXT;
        ALTER TABLE batches ADD COLUMN note TEXT;
        CREATE TABLE added (app BIGINT PRIMARY KEY);
        """)
    ])
  private static let breaking = SchemaSteps(
    SchemaSteps.postgreSQL.steps + [
      .init("ALTER TABLE audit RENAME COLUMN object TO subject", isBreaking: true)
    ])

  /// Starts the newer node, which brings the schema forward.
  private func newer(
    _ steps: SchemaSteps, on cluster: PostgreSQLCluster, sendingTo apns: Witness
  ) async throws -> PushServer {
    let secret = try Data(contentsOf: URL(filePath: directory.path("node-0/secret.key")))
    let secretKey = try #require(SecretKey([UInt8](secret)))
    let endpoint = try APNsEndpoint.custom(url: apns.url)
    var configuration = PushServer.Configuration()
    configuration.node = "newer"
    configuration.workers = 2
    let server = try PushServer(
      configuration, store: try await PostgreSQLPushStore(url: cluster.url, steps: steps),
      secretKey: secretKey,
      sender: APNsSender(
        endpoints: .init(
          production: endpoint, development: endpoint, extraTrustPEM: apns.caPEM),
        secretKey: secretKey)
    ) { _ in }
    Task { await server.run() }
    return server
  }

  /// The database notices the end of a process's connections a little later.
  private func newerOnceNodesEnded(
    on cluster: PostgreSQLCluster, sendingTo apns: Witness
  ) async throws -> PushServer {
    while true {
      do {
        return try await newer(Self.breaking, on: cluster, sendingTo: apns)
      } catch let error as StoreError where error.code == .nodesRunning {
        continue
      }
    }
  }

  @Test(
    "nodes of both versions send together, one that is killed too, until the older ones are stopped"
  )
  func together() async throws {
    try await PostgreSQLCluster().use { cluster in
      let world = try await KillWorld(directory, on: cluster, devices: 20_000)
      var old = try (0..<3).map { try world.serve(node: $0, workers: 2) }
      let first = try await world.client(of: old[0])
      let notification = try await world.send(through: first)
      await world.apns.reached(2000)
      let new = try await newer(Self.added, on: cluster, sendingTo: world.apns)
      let recorded = try await cluster.query("SELECT * FROM martlet_schema")
      #expect(recorded == "\(Self.added.newestVersion)|\(SchemaSteps.firstVersion)")

      // An older node that dies starts again beside the newer schema.
      old[1].kill()
      await old[1].ended()
      old[1] = try world.serve(node: 1, workers: 2)
      let again = try await world.client(of: old[1])
      #expect(try await again.request("GET", "/v6/notifications")["meta"]?["total"]?.integer == 1)

      for server in old { #expect(await server.terminate() == 0) }
      try await world.finish(notification, through: world.client(onPort: new.port))
      await new.stop()
      await world.apns.stop()
      world.expectAll(
        of: notification, repeatedAtMost: 2 * Batch.limit,
        "three nodes upgraded beside one another",
        isPrinted: true)
    }
  }

  @Test(
    "a schema that older nodes cannot use is refused, changes nothing, and is taken when they ended"
  )
  func refused() async throws {
    try await PostgreSQLCluster().use { cluster in
      let world = try await KillWorld(directory, on: cluster, devices: 20_000)
      let old = try (0..<3).map { try world.serve(node: $0, workers: 2) }
      var clients: [ServerClient] = []
      for server in old { clients.append(try await world.client(of: server)) }
      let notification = try await world.send(through: clients[0])
      await world.apns.reached(2000)
      let error = await #expect(throws: StoreError.self) {
        _ = try await newer(Self.breaking, on: cluster, sendingTo: world.apns)
      }
      #expect(error?.code == .nodesRunning, "\(String(describing: error))")
      #expect(
        error?.message.contains("docs/server/operations.md, \"Upgrade several nodes\"") == true)
      let runbook = try String(
        contentsOf: Repository.url("docs/server/operations.md"), encoding: .utf8)
      #expect(runbook.contains("\n### Upgrade several nodes\n"))

      // They stop in the middle of the send, with what they have begun.
      for server in old { #expect(await server.terminate() == 0) }
      let new = try await newerOnceNodesEnded(on: cluster, sendingTo: world.apns)
      let forgotten = try world.serve(node: 2, workers: 2, under: "exec 2>&1")
      let refusal = await forgotten.line { $0.contains("schema version") }
      #expect(refusal?.contains("\(Self.breaking.newestVersion)") == true)
      #expect(refusal?.contains("run the newer martlet") == true)
      await forgotten.ended()
      try await world.finish(notification, through: world.client(onPort: new.port))
      await new.stop()
      await world.apns.stop()
      world.expectAll(
        of: notification, repeatedAtMost: 0, "three nodes stopped before an upgrade",
        isPrinted: true)
    }
  }
}
