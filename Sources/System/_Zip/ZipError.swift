/// An error in reading a zip archive or one of its entries.
package struct ZipError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case notAnArchive, truncated, damaged, encrypted, tooLarge, unreadable }
    private let raw: Raw
    /// The file does not begin as a zip archive does.
    package static let notAnArchive = Code(raw: .notAnArchive)
    /// The file begins as a zip archive, but lacks the directory at its end.
    package static let truncated = Code(raw: .truncated)
    /// Parts of the archive contradict each other, or the checksum of an entry does not match.
    package static let damaged = Code(raw: .damaged)
    /// An entry needs a password.
    package static let encrypted = Code(raw: .encrypted)
    /// An entry is larger than the limit of its reader.
    package static let tooLarge = Code(raw: .tooLarge)
    /// The file cannot be opened or read.
    package static let unreadable = Code(raw: .unreadable)
  }

  package var code: Code
  /// A description of the problem for people.
  package var message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
