extension SQLiteSchema {
  /// What phones report for the timeline of a notification, and the audit entries of an object: version 121.
  ///
  /// A program without it stores neither, and a timeline says that they are not known.
  static let phoneReports = """
    -- The notification settings that the app has reported, as JSON; NULL if it has reported none.
    ALTER TABLE devices ADD COLUMN settings TEXT;
    -- What the service extension did, as JSON; NULL if the app does not send it.
    ALTER TABLE receipts ADD COLUMN trace TEXT;
    CREATE INDEX audit_by_object ON audit(object, number) WHERE object IS NOT NULL;
    """
}
