#if os(Linux)
  /// A database that Citus divides: a coordinator and workers, each a cluster with a Unix socket of its own.
  package final class CitusCluster: Sendable {
    package static var isInstalled: Bool { PostgreSQLCluster.has(library: "citus") }

    package let coordinator: PostgreSQLCluster
    package let workers: [PostgreSQLCluster]

    private static let settings = [
      "shared_preload_libraries=citus", "wal_level=logical", "max_connections=200",
      "max_prepared_transactions=200",
    ]

    /// Makes the clusters, starts them and names the workers to the coordinator.
    ///
    /// `syncs` turns on `fsync`, which only matters for a power cut.
    package init(workers count: Int = 2, syncs: Bool = false) async throws {
      var made: [PostgreSQLCluster] = []
      for _ in 0...count {
        let cluster = try await PostgreSQLCluster(syncs: syncs, settings: Self.settings)
        try await Self.prepare(cluster)
        made.append(cluster)
      }
      coordinator = made.removeFirst()
      workers = made
      try await coordinator.query(
        "SELECT citus_set_coordinator_host('\(coordinator.folder)', 5432)")
      for worker in workers { try await add(worker) }
    }

    /// Names a server to the coordinator, which then gives it rows when the tables are rebalanced.
    package func add(_ worker: PostgreSQLCluster) async throws {
      try await coordinator.query("SELECT citus_add_node('\(worker.folder)', 5432)")
    }

    /// Makes and names one more worker, which has no rows yet.
    package func addWorker() async throws -> PostgreSQLCluster {
      let cluster = try await PostgreSQLCluster(settings: Self.settings)
      try await Self.prepare(cluster)
      try await add(cluster)
      return cluster
    }

    /// Adds the extension, and names the socket by which the server connects to itself.
    private static func prepare(_ cluster: PostgreSQLCluster) async throws {
      try await cluster.query("CREATE EXTENSION citus")
      try await cluster.query("ALTER SYSTEM SET citus.local_hostname = '\(cluster.folder)'")
      try await cluster.query("SELECT pg_reload_conf()")
    }

    /// Runs a body with the clusters, and removes them however the body ends.
    package func use(_ body: (CitusCluster) async throws -> Void) async throws {
      try await nested(workers[...], body)
    }

    private func nested(
      _ rest: ArraySlice<PostgreSQLCluster>, _ body: (CitusCluster) async throws -> Void
    ) async throws {
      guard let first = rest.first else {
        return try await coordinator.use { _ in try await body(self) }
      }
      try await first.use { _ in try await nested(rest.dropFirst(), body) }
    }
  }
#endif
