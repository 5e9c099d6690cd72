/// An error in opening a bundle: the input is not a bundle, or is incomplete.
package struct BundleError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case notFound, notABundle, otherSystem, damaged, unsafe, tooLarge }
    private let raw: Raw
    /// The file does not exist, or cannot be read.
    package static let notFound = Code(raw: .notFound)
    /// The file is not an .app, .appex, .ipa or .xcarchive.
    package static let notABundle = Code(raw: .notABundle)
    /// The bundle is for a system without notification service extensions, or with other rules.
    package static let otherSystem = Code(raw: .otherSystem)
    /// The archive is truncated or contradicts itself.
    package static let damaged = Code(raw: .damaged)
    /// An entry of the archive has a path that leads out of the archive.
    package static let unsafe = Code(raw: .unsafe)
    /// The bundle exceeds ``BundleLimits``, as a zip bomb does.
    package static let tooLarge = Code(raw: .tooLarge)
  }

  package var code: Code
  /// The problem, and what to do about it.
  package var message: String
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
