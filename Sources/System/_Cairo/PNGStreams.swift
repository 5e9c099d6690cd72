/// The bytes of a PNG that cairo reads.
final class PNGReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Copies the next bytes; `false` if there are fewer.
  func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    guard count <= bytes.count - offset else { return false }
    for index in 0..<count { unsafe buffer[index] = bytes[offset + index] }
    offset += count
    return true
  }
}

/// The bytes of a PNG that cairo writes.
final class PNGWriter {
  var bytes: [UInt8] = []
}

/// The header of a PNG (ISO/IEC 15948, section 11.2.2).
enum PNGHeader {
  /// Whether the bytes begin as a PNG with a size that a ``Drawing`` may have.
  static func isWithinLimits(_ bytes: [UInt8]) -> Bool {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // The header is the first chunk. cairo skips an unknown one before it, whose numbers would be taken for the size.
    guard bytes.count >= 24, bytes.starts(with: signature),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return false }
    func number(at offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let sides = 1...Drawing.maximumSide
    let (width, height) = (number(at: 16), number(at: 20))
    return sides.contains(width) && sides.contains(height)
      && width * height <= Drawing.maximumPixels
  }
}
