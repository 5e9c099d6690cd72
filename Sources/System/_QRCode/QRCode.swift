import CQRencode

/// A QR code of a text in byte mode with error correction level M (ISO/IEC 18004:2015).
package struct QRCode: Sendable {
  /// The number of modules in a row.
  package let size: Int
  /// The modules, row by row; the lowest bit is set if the module is dark.
  private let modules: [UInt8]

  /// The most bytes of a text: those of version 20, whose modules a camera still tells apart on a small picture.
  package static let limit = 666

  /// Makes the code of a text; `nil` if the text is empty or has more than ``limit`` bytes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.limit else { return nil }
    let code = unsafe QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_M)
    guard let code = unsafe code else { return nil }
    defer { unsafe QRcode_free(code) }
    size = unsafe Int(code.pointee.width)
    modules = unsafe Array(
      UnsafeBufferPointer(start: code.pointee.data, count: size * size))
  }

  /// Whether a module is dark.
  package subscript(x: Int, y: Int) -> Bool { modules[y * size + x] & 1 == 1 }
}
