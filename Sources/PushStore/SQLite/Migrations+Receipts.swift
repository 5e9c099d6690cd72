extension Migrations {
  /// What one device reported of a send of a million is found without the others' reports.
  static let receiptsByDevice = """
    DROP INDEX receipts_by_send;
    CREATE INDEX receipts_by_device ON receipts(send, device);
    """
}
