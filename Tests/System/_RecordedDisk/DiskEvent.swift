/// A change of a disk's files.
package struct DiskEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case create
    case write([UInt8], at: Int)
    case truncate(to: Int)
    /// A sync of the file, and of its folder if the file is a journal.
    case sync(isJournal: Bool)
    /// A deletion, after which the folder may be synced.
    case delete(isSynced: Bool)
  }

  /// The name of the file in its folder.
  package var file: String
  package var kind: Kind

  package init(file: String, kind: Kind) {
    (self.file, self.kind) = (file, kind)
  }
}
