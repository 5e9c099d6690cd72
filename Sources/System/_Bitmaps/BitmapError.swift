/// The reason why bytes are not a serialized bitmap.
package struct BitmapError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case notABitmap, cutOff, damaged, trailingBytes }
    private let raw: Raw
    /// The bytes do not begin with a cookie of the portable format.
    package static let notABitmap = Code(raw: .notABitmap)
    /// The bytes end before the last container.
    package static let cutOff = Code(raw: .cutOff)
    /// A container breaks a rule of the format.
    package static let damaged = Code(raw: .damaged)
    /// Bytes follow the last container.
    package static let trailingBytes = Code(raw: .trailingBytes)
  }

  package var code: Code
  package var message: String

  /// `problem` continues a sentence that begins with "a serialized bitmap".
  init(_ code: Code, _ problem: String, at offset: Int) {
    self.code = code
    message = "a serialized bitmap \(problem) at byte \(offset)"
  }

  package var description: String { message }
}
