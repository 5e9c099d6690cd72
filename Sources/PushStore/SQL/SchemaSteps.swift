/// The numbered steps that make the schema of a database, the oldest first.
///
/// A released step is never edited: a change is one more step, which brings existing databases
/// forward. Until the first release there is one step, which is edited in place, and
/// ``firstVersion`` is raised with it, so that a database with the schema of before is refused
/// instead of misread.
struct SchemaSteps: Sendable {
  /// The version that the first step leads to; the steps after it lead to the numbers that follow.
  static let firstVersion = 105

  static let sqlite = SchemaSteps([SQLiteSchema.statements])
  static let postgreSQL = SchemaSteps([PostgreSQLSchema.statements])

  /// SQL statements of each step, separated by semicolons.
  let statements: [String]

  init(_ statements: [String]) { self.statements = statements }

  /// The version of a database to which every step was applied.
  var newestVersion: Int { Self.firstVersion + statements.count - 1 }

  /// The steps that a database of a version lacks, each with the version that it leads to.
  ///
  /// `version` is 0 for a database without a schema.
  func missing(at version: Int) -> [(version: Int, statements: String)] {
    let numbered = statements.enumerated().map { (Self.firstVersion + $0.offset, $0.element) }
    return Array(numbered.drop { $0.0 <= version })
  }

  /// Checks that the steps can bring a database of a version forward.
  ///
  /// `version` is 0 for a database without a schema. `database` is what an error calls the
  /// database, "the database /data/martlet.sqlite". `replacement` is what an error advises to use
  /// in its place, "an empty --data directory".
  ///
  /// - Throws: ``StoreError/Code/newerVersion`` or ``StoreError/Code/olderVersion``.
  func check(
    _ version: Int, of database: String, replacement: String
  ) throws(StoreError) {
    guard version <= newestVersion else {
      throw StoreError(
        .newerVersion,
        "\(database) has schema version \(version), and this martlet knows versions up to"
          + " \(newestVersion); run the newer martlet, or restore a backup made before the upgrade")
    }
    guard version == 0 || version >= Self.firstVersion else {
      throw StoreError(
        .olderVersion,
        "\(database) has schema version \(version) of an unreleased martlet, which this one cannot"
          + " bring forward; use \(replacement), or run the martlet that made it")
    }
  }
}
