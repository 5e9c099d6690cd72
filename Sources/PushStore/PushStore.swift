/// Where a push server keeps what must outlive it.
///
/// Every method is one transaction, durable when it returns. What a store must do is the table of
/// `storeConformance` in the tests. Times come from the caller, so that tests own the clock; a store
/// that many nodes share reads its own clock for leases instead.
package protocol PushStore:
  AppStore, DeviceStore, DeviceLog, UserStore, AudienceStore, SendStore, BatchQueue, OutcomeStore,
  MessageStore, ReceiptStore, StatStore, WebhookStore, AuditStore, UploadStore
{
  /// Returns where the database answers now and takes changes, without waiting for one that is away.
  func probe() async throws(StoreError)
  /// Removes, in one transaction, up to `limit` rows of each kind that have been kept for long enough.
  ///
  /// - Returns: Whether there may be more.
  func removeOutdated(
    _ retention: Retention, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> Bool
  /// The same store, which writes a trace into the transaction of each change that is made through
  /// it, where there is one: a repeat that changes nothing leaves none.
  func recording(_ trace: ChangeRecord) -> any PushStore
}

/// A store that can be copied while it serves.
package protocol BackupStore {
  /// Writes a copy, as of one moment, to a file that is not there yet.
  func backup(to path: String) async throws(StoreError)
}

/// One page of a list that is read by a cursor; no cursor is the end.
package struct Page<Element: Sendable>: Sendable {
  package var elements: [Element]
  package var cursor: String?
  /// How many there are on all pages.
  package var total: Int

  package init(_ elements: [Element], cursor: String?, total: Int) {
    self.elements = elements
    self.cursor = cursor
    self.total = total
  }
}

/// Why a store could not do it.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw {
      case locked, newerVersion, olderVersion, cannotOpen, conflict, erased, expiredCursor, notFound, refused,
        unavailable, unwritable, failed
    }
    private let raw: Raw
    /// Another process holds the store.
    package static let locked = Code(raw: .locked)
    /// The schema is one of a newer martlet.
    package static let newerVersion = Code(raw: .newerVersion)
    /// The schema is one from before the first release, which no step brings forward.
    package static let olderVersion = Code(raw: .olderVersion)
    package static let cannotOpen = Code(raw: .cannotOpen)
    /// Something with that id is there already, or its state forbids it.
    package static let conflict = Code(raw: .conflict)
    /// The device was erased, and stays so.
    package static let erased = Code(raw: .erased)
    /// A cursor that this store did not give out, or no longer knows.
    package static let expiredCursor = Code(raw: .expiredCursor)
    /// What the call is about is not there.
    package static let notFound = Code(raw: .notFound)
    /// It holds what this database cannot: U+0000 in text on PostgreSQL.
    package static let refused = Code(raw: .refused)
    /// The database cannot be reached, or its answer was lost on the way.
    package static let unavailable = Code(raw: .unavailable)
    /// The database takes no changes now: its disk is full, or fails.
    package static let unwritable = Code(raw: .unwritable)
    package static let failed = Code(raw: .failed)
  }

  package var code: Code
  /// What happened and the cure, in one line.
  package var message: String
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Whether the same call may succeed later, without anything being changed but the database's
  /// surroundings.
  package var mayPass: Bool { code == .locked || code == .unavailable || code == .unwritable }

  package var description: String { message }
}
