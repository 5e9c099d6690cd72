import Foundation
import _PostgreSQL

/// A program that is connected to a PostgreSQL server.
///
/// An operator finds it by the name of its sessions, the machine from which it connects, and the server's processes
/// for it.
struct PostgreSQLClient: Hashable, CustomStringConvertible {
  let name: String
  let place: String
  /// The identifiers of the processes, for `pg_stat_activity` and `pg_terminate_backend`.
  let processes: String

  /// The name of this process's sessions, unless the address or `PGAPPNAME` sets another name.
  static let ownName = "martlet \(getpid()) on \(ProcessInfo.processInfo.hostName)"

  var description: String { "\(name) from \(place) (PostgreSQL's \(processes))" }

  /// The clients whose processes a query returns.
  ///
  /// `processes` is a query with one column. A role may lack the right to see the address of another role's session.
  static func list(
    _ processes: String, _ values: [PostgreSQLValue], on db: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [PostgreSQLClient] {
    try db.rows(
      """
      SELECT coalesce(nullif(application_name, ''), backend_type, 'a client of role ' || usename)
          AS name,
        CASE WHEN backend_type IS NULL THEN 'a machine that this role may not see'
          WHEN client_addr IS NULL THEN 'the database''s machine' ELSE host(client_addr) END
          AS place,
        CASE count(*) WHEN 1 THEN 'process ' ELSE 'processes ' END
          || string_agg(pid::TEXT, ', ' ORDER BY pid)
      FROM pg_stat_activity WHERE pid IN (\(processes))
      GROUP BY name, place ORDER BY name, place
      """, values
    ) { PostgreSQLClient(name: $0.text(0), place: $0.text(1), processes: $0.text(2)) }
  }
}
