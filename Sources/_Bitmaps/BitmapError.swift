/// Why bytes are no bitmap.
package struct BitmapError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case notABitmap, cutOff, damaged, trailingBytes }
    private let raw: Raw
    /// It does not begin as the portable form does.
    package static let notABitmap = Code(raw: .notABitmap)
    /// It ends before what its head announces.
    package static let cutOff = Code(raw: .cutOff)
    /// A part breaks a rule of the format.
    package static let damaged = Code(raw: .damaged)
    /// Bytes follow the last container.
    package static let trailingBytes = Code(raw: .trailingBytes)
  }

  package var code: Code
  package var message: String

  init(_ code: Code, _ what: String, at offset: Int) {
    self.code = code
    message = "a serialized bitmap \(what) at byte \(offset)"
  }

  package var description: String { message }
}
