package import PushModel
import _PostgreSQL

/// The settings of a PostgreSQL server on which the safety and the capacity of a store depend.
package struct PostgreSQLServerSettings: Sendable, Equatable {
  /// The version as the server writes it: `15.14`.
  package var version: String
  /// The version as a number: 150014.
  package var versionNumber: Int
  /// The maximum number of connections, without those that are reserved for superusers.
  package var connections: Int
  /// The number of connections in use by any program, without the connection that reads it.
  package var usedConnections: Int
  /// The values of `synchronous_commit`, `fsync`, `full_page_writes` and `wal_level`, by name.
  package var values: [String: String]
  /// Whether the database is divided by Citus.
  package var isDivided: Bool
  /// The server's time, in milliseconds since 1970.
  package var time: Int64

  package init(
    version: String, versionNumber: Int, connections: Int, usedConnections: Int,
    values: [String: String], isDivided: Bool, time: Int64
  ) {
    self.version = version
    self.versionNumber = versionNumber
    self.connections = connections
    self.usedConnections = usedConnections
    self.values = values
    self.isDivided = isDivided
    self.time = time
  }

  /// The maximum number of connections of one `serve`: those for calls, and three for other uses.
  package static let connectionsOfNode = PostgreSQLPushStore.callConnections + 3

  /// Reads the settings of a database's server, without waiting for a server that cannot be reached.
  package static func read(url: String) async throws(StoreError) -> PostgreSQLServerSettings {
    try await PostgreSQLPushStore.withConnection(url: url) { db in
      let names = ["synchronous_commit", "fsync", "full_page_writes", "wal_level"]
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      let values = try db.rows("SELECT name, setting FROM pg_settings WHERE name IN (\(list))") {
        ($0.text(0), $0.text(1))
      }
      let numbers = try db.rows(
        """
        SELECT current_setting('server_version_num')::int8,
          current_setting('max_connections')::int8
            - current_setting('superuser_reserved_connections')::int8,
          (SELECT count(*) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()),
          (SELECT count(*) FROM pg_extension WHERE extname = 'citus'),
          CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)
        """
      ) { row in (0..<5).map { row.integer($0) } }
      let version = try db.rows("SELECT current_setting('server_version')") { $0.text(0) }
      let row = numbers.first ?? [0, 0, 0, 0, 0]
      return PostgreSQLServerSettings(
        version: version.first ?? "", versionNumber: Int(row[0]), connections: Int(row[1]),
        usedConnections: Int(row[2]), values: Dictionary(values) { first, _ in first },
        isDivided: row[3] > 0, time: row[4])
    }
  }
}

extension PostgreSQLPushStore {
  /// The default maximum number of connections for calls.
  package static let callConnections = 8
}
