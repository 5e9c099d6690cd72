/// An error in opening a bundle: the input is not a bundle, or not a whole one.
package struct BundleError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case notFound, notABundle, otherSystem, damaged, unsafe, tooLarge }
    private let raw: Raw
    /// There is no such file, or it cannot be read.
    package static let notFound = Code(raw: .notFound)
    /// It is not an .app, .appex, .ipa or .xcarchive.
    package static let notABundle = Code(raw: .notABundle)
    /// A bundle for a system without notification service extensions, or with other rules.
    package static let otherSystem = Code(raw: .otherSystem)
    /// An archive that is truncated or contradicts itself.
    package static let damaged = Code(raw: .damaged)
    /// An archive with an entry whose path leads out of the archive.
    package static let unsafe = Code(raw: .unsafe)
    /// More than ``BundleLimits`` allows, as a zip bomb has.
    package static let tooLarge = Code(raw: .tooLarge)
  }

  package var code: Code
  /// What is wrong and what to do about it.
  package var message: String
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
