package import PushModel
import _PostgreSQL

extension PostgreSQLPushStore {
  /// The tables of a store with their partitions, as patterns of `pg_dump`.
  ///
  /// - Throws: ``StoreError/Code/newerVersion``, even if this version can use the newer schema, because it does not
  ///   know its tables.
  package static func tables(url: String) async throws(StoreError) -> [String] {
    try await withConnection(url: url) { db in
      let steps = SchemaSteps.postgreSQL
      let version = try PostgreSQLMigrations.version(of: db)
      guard version <= steps.newestVersion else {
        throw StoreError(
          .newerVersion,
          "the database has schema version \(version), and this martlet knows the tables of"
            + " \(steps.newestVersion) only; back up with the newer martlet")
      }
      return try db.rows(
        """
        WITH RECURSIVE tables AS (
          SELECT oid FROM pg_class WHERE relname = ANY ($1::TEXT[]) AND relkind IN ('r', 'p')
          AND pg_table_is_visible(oid)
          UNION SELECT inhrelid FROM pg_inherits JOIN tables ON inhparent = tables.oid
        )
        SELECT format('"%s"."%s"', replace(nspname, '"', '""'), replace(relname, '"', '""'))
        FROM tables JOIN pg_class USING (oid) JOIN pg_namespace ON pg_namespace.oid = relnamespace
        ORDER BY 1
        """,
        [.array((steps.tables + ["martlet_schema"]).map { .text($0) })]
      ) { $0.text(0) }
    }
  }
}
