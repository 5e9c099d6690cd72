/// An error of a store, with a remedy.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw {
      case locked, newerVersion, olderVersion, nodesRunning, cannotOpen, conflict, erased,
        expiredCursor, notFound, forbidden, refused, unavailable, schemaChanged,
        unwritable, damaged, failed
    }
    private let raw: Raw
    /// Another process or transaction has held a lock for too long.
    package static let locked = Code(raw: .locked)
    /// A newer martlet has made the schema.
    package static let newerVersion = Code(raw: .newerVersion)
    /// The schema is from before the first release, and no step brings it forward.
    package static let olderVersion = Code(raw: .olderVersion)
    /// The schema cannot be changed while nodes of an older version use the database.
    package static let nodesRunning = Code(raw: .nodesRunning)
    /// The database cannot be opened, or has no store.
    package static let cannotOpen = Code(raw: .cannotOpen)
    /// The id is taken, or the state of the object forbids the change.
    package static let conflict = Code(raw: .conflict)
    /// The device was erased, which cannot be undone.
    package static let erased = Code(raw: .erased)
    /// The cursor is not one of this list, or is no longer known.
    package static let expiredCursor = Code(raw: .expiredCursor)
    /// The app, or another object that the call needs, does not exist.
    package static let notFound = Code(raw: .notFound)
    /// The caller may not act for the device, because it has not shown the device's secret.
    package static let forbidden = Code(raw: .forbidden)
    /// A value that the database cannot store: text with U+0000 on PostgreSQL.
    package static let refused = Code(raw: .refused)
    /// The database cannot be reached, or the connection broke before it answered.
    package static let unavailable = Code(raw: .unavailable)
    /// A newer martlet has changed the schema, or is changing it, while this one was running: newer nodes serve.
    package static let schemaChanged = Code(raw: .schemaChanged)
    /// The database takes no writes: its disk is full or fails.
    package static let unwritable = Code(raw: .unwritable)
    /// A stored value cannot be read: it is damaged, or a newer martlet wrote it.
    package static let damaged = Code(raw: .damaged)
    package static let failed = Code(raw: .failed)
  }

  package var code: Code
  /// An explanation of the problem, its place and a remedy, in one line.
  package var message: String
  package var cause: (any Error)?
  /// The work that a damaged value has stopped, for ``BatchQueue/stop(_:because:at:)``.
  package var work: DamagedWork?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Whether the same call may succeed later or on another node.
  package var isTransient: Bool {
    [.locked, .unavailable, .schemaChanged, .unwritable].contains(code)
  }

  package var description: String { message }
}
