/// The database of a push server.
///
/// Every method is one transaction, which is durable when the method returns. `storeConformance` in the tests checks
/// what a store must do. Times come from the caller, so that tests control the clock. A store that many nodes share
/// uses its own clock for leases.
package protocol PushStore:
  AppStore, DeviceStore, DeviceLog, UserStore, AudienceStore, SendStore, BatchQueue, OutcomeStore,
  TestBudgetStore, MessageStore, InboxStore, ReceiptStore, StatStore, WebhookStore, AuditStore,
  UploadStore, SessionStore, AccountStore, SecretStore, ActivityStore, KeeperStore, ReloadStore,
  CampaignStore, EnrollmentStore, TemplateStore, ScheduleStore, FileImportStore
{
  /// Checks that the database answers and takes writes, without waiting for a database that cannot be reached.
  ///
  /// - Throws: ``StoreError`` with the reason for which it does not.
  func probe() async throws(StoreError)
  /// Ends current and later calls within a time if the database does not answer, for a process that is stopping.
  func endCalls(within limit: Duration)
  /// Removes rows that are older than their retention, in one transaction.
  ///
  /// At most `limit` rows of each kind are removed.
  ///
  /// - Returns: Whether more such rows may be left.
  func removeOutdated(
    _ retention: Retention, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> Bool
  /// Returns a view of the same store that writes a record into the transaction of each change. A call that changes
  /// nothing, such as a repeat, writes no record.
  func recording(_ record: ChangeRecord) -> any PushStore
}

extension PushStore {
  /// Does nothing, because a database in this process always answers.
  package func endCalls(within limit: Duration) {}
}

/// A store that can be backed up while it is in use.
package protocol BackupStore {
  /// Writes a consistent copy to a new file.
  ///
  /// - Throws: ``StoreError`` if a file exists at `path`.
  func backup(to path: String) async throws(StoreError)
}
