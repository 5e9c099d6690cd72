/// Why a zip archive, or an entry of one, cannot be read.
package struct ZipError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case notAnArchive, cutOff, damaged, encrypted, tooLarge, unreadable }
    private let raw: Raw
    /// It does not begin as a zip archive does.
    package static let notAnArchive = Code(raw: .notAnArchive)
    /// It begins as one and lacks its end, where the directory is.
    package static let cutOff = Code(raw: .cutOff)
    /// Its parts contradict each other, or an entry does not unpack to what its checksum says.
    package static let damaged = Code(raw: .damaged)
    /// An entry needs a password.
    package static let encrypted = Code(raw: .encrypted)
    /// An entry is longer than its reader takes.
    package static let tooLarge = Code(raw: .tooLarge)
    /// The file cannot be opened or read.
    package static let unreadable = Code(raw: .unreadable)
  }

  package var code: Code
  /// What is wrong, for a person.
  package var message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
