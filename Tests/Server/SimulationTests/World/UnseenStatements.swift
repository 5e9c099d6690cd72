/// The statements of the store whose loss no simulated world sees, by their beginnings.
enum UnseenStatements {
  static let beginnings = unpromised + removals + doubled + rare

  /// What no promise of the worlds speaks of: search, last uses, and the audience that a send names.
  private static let unpromised = [
    "INSERT INTO send_terms", "UPDATE devices SET events", "UPDATE keys SET",
    "INSERT INTO audiences",
    "INSERT INTO campaign_versions", "UPDATE messages",
  ]

  /// What is removed when a device is erased, a limit ends or a send is canceled, and is of no use by then.
  private static let removals = [
    "DELETE FROM activity_expenses", "DELETE FROM activity_tokens", "DELETE FROM reload_tokens",
    "DELETE FROM push_ledger", "DELETE FROM holdouts", "DELETE FROM batches",
    "DELETE FROM segments",
  ]

  /// What another statement does too, or what the next lease of a batch finds out by itself.
  private static let doubled = [
    "UPDATE batches SET due_at = 0,", "UPDATE batches SET due_at = ?,",
    "UPDATE batches SET due_at = NULL,", "UPDATE batches SET waits = FALSE WHERE",
    "UPDATE segments SET due_at", "UPDATE segments SET waits = FALSE", "UPDATE runs SET waits",
    "UPDATE triggers SET leased_until = 0", "UPDATE triggers SET state = ?,",
    "UPDATE devices SET uninstalled_at", "UPDATE runs SET reason",
    "INSERT INTO limits (app, quiet, caps)",
  ]

  /// What these worlds have too rarely: a campaign whose first answer is lost, a test in a pause, and a holdout that
  /// is seen in two campaigns.
  private static let rare = [
    "INSERT INTO campaign_calls", "UPDATE runs SET due_at", "INSERT INTO holdouts",
  ]
}
