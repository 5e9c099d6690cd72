import PushModel

/// The numbered steps that make the schema of a database, the oldest first.
///
/// A step is never edited. A change is a new step, which brings existing databases forward. A database with a schema
/// from before ``firstVersion`` is refused.
package struct SchemaSteps: Sendable {
  /// A change of the schema.
  package struct Step: Sendable {
    /// SQL statements, separated by semicolons.
    package let statements: String
    /// Whether programs that do not know the step can no longer use the database.
    ///
    /// A step that adds a table, an index, or a column that is nullable or has a default is not breaking, as long as
    /// stored values keep their forms. Nodes of both versions can then use the same database.
    package let isBreaking: Bool

    package init(_ statements: String, isBreaking: Bool = false) {
      self.statements = statements
      self.isBreaking = isBreaking
    }
  }

  /// The version after the first step; each further step raises the version by 1.
  package static let firstVersion = 106

  package static let sqlite = SchemaSteps([
    Step(SQLiteSchema.statements), Step(SQLiteSchema.limits), Step(SQLiteSchema.triggers),
    Step(SQLiteSchema.accounts), Step(SQLiteSchema.templates),
    Step(SQLiteSchema.identities), Step(SQLiteSchema.passkeys),
    Step(SQLiteSchema.campaignMessages), Step(SQLiteSchema.openHours),
    Step(SQLiteSchema.appIcons), Step(SQLiteSchema.enrollmentMessages),
    Step(SQLiteSchema.codeAttempts),
    Step(SQLiteSchema.authority), Step(SQLiteSchema.credentialMakers),
    Step(SQLiteSchema.sendClasses), Step(SQLiteSchema.phoneReports),
    Step(SQLiteSchema.schedule), Step(SQLiteSchema.keyUses), Step(SQLiteSchema.imports),
    Step(SQLiteSchema.keepers), Step(SQLiteSchema.quietHours), Step(SQLiteSchema.reloads),
    Step(SQLiteSchema.importProgress), Step(SQLiteSchema.emptiedSends),
    Step(SQLiteSchema.webhookLeases),
  ])
  package static let postgreSQL = SchemaSteps([
    Step(PostgreSQLSchema.statements), Step(PostgreSQLSchema.limits),
    Step(PostgreSQLSchema.triggers), Step(PostgreSQLSchema.accounts),
    Step(PostgreSQLSchema.templates), Step(PostgreSQLSchema.identities),
    Step(PostgreSQLSchema.passkeys), Step(PostgreSQLSchema.campaignMessages),
    Step(PostgreSQLSchema.openHours), Step(PostgreSQLSchema.appIcons),
    Step(PostgreSQLSchema.enrollmentMessages), Step(PostgreSQLSchema.codeAttempts),
    Step(PostgreSQLSchema.authority), Step(PostgreSQLSchema.credentialMakers),
    Step(PostgreSQLSchema.sendClasses), Step(PostgreSQLSchema.phoneReports),
    Step(PostgreSQLSchema.schedule), Step(PostgreSQLSchema.keyUses), Step(PostgreSQLSchema.imports),
    Step(PostgreSQLSchema.keepers), Step(PostgreSQLSchema.quietHours),
    Step(PostgreSQLSchema.reloads), Step(PostgreSQLSchema.importProgress),
    Step(PostgreSQLSchema.emptiedSends), Step(PostgreSQLSchema.webhookLeases),
  ])

  package let steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// The version after every step.
  package var newestVersion: Int { Self.firstVersion + steps.count - 1 }

  /// The names of the tables that the steps create.
  package var tables: [String] {
    steps.flatMap { $0.statements.split(separator: "\n") }.compactMap { line in
      let words = line.split(separator: " ")
      guard words.starts(with: ["CREATE", "TABLE"]), words.count > 2 else { return nil }
      return String(words[2].prefix { $0 != "(" })
    }
  }

  /// The steps that a database of a version lacks, each with the version that it leads to.
  ///
  /// `version` is 0 for a database without a schema.
  func missing(at version: Int) -> [(version: Int, step: Step)] {
    let numbered = steps.enumerated().map { (Self.firstVersion + $0.offset, $0.element) }
    return Array(numbered.drop { $0.0 <= version })
  }

  /// Whether nodes that use a database of a version must have ended before the steps are applied.
  func needsNodesToEnd(at version: Int) -> Bool {
    version > 0 && missing(at: version).contains { $0.step.isBreaking }
  }

  /// The oldest version whose programs can use a database of `version`.
  func oldestUser(of version: Int) -> Int {
    let breaking = steps.indices.last { index in
      steps[index].isBreaking && Self.firstVersion + index <= version
    }
    return Self.firstVersion + (breaking ?? 0)
  }

  /// Checks that this program can use a database of a version, or bring it forward.
  ///
  /// `version` is 0 for a database without a schema. `oldestUser` is the oldest version whose programs can use the
  /// database. `database` is the database's name in errors, "the database /data/martlet.sqlite". `replacement` is
  /// what an error advises instead, "an empty --data directory".
  ///
  /// - Throws: ``StoreError/Code/newerVersion`` or ``StoreError/Code/olderVersion``.
  func check(
    _ version: Int, oldestUser: Int, of database: String, replacement: String
  ) throws(StoreError) {
    guard version <= newestVersion || oldestUser <= newestVersion else {
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
