extension Migrations {
  /// Whether a device's pushes come quietly; nobody had said so before this step.
  static let quiet = "ALTER TABLE devices ADD COLUMN push_quiet INTEGER NOT NULL DEFAULT 0"
}
