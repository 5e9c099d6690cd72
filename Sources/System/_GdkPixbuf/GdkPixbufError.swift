/// The reason why GdkPixbuf did not convert a picture.
package struct GdkPixbufError: Error {
  /// The kind of a failure.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The library is not installed.
    package static let missingLibrary = Code(rawValue: "missing-library")
    /// The picture has more pixels than are decoded.
    package static let tooLarge = Code(rawValue: "too-large")
    /// The library cannot decode the picture.
    package static let undecodable = Code(rawValue: "undecodable")
  }

  package let code: Code
  /// The reason, and the way to remove it.
  package let message: String
}
