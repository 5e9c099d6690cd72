extension PostgreSQLSchema {
  /// What phones report, and the audit entries of an object: version 121, as ``SQLiteSchema/phoneReports``.
  static let phoneReports = """
    ALTER TABLE devices ADD COLUMN settings TEXT COLLATE "C";
    ALTER TABLE receipts ADD COLUMN trace TEXT COLLATE "C";
    CREATE INDEX audit_by_object ON audit(object, number) WHERE object IS NOT NULL;
    """
}
