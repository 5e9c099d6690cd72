import Foundation

/// The format and the size in pixels that the header of an image says.
struct ImageHeader: Equatable {
  enum Format: String {
    case png = "PNG"
    case jpeg = "JPEG"
    case gif = "GIF"
    case webP = "WebP"
    case heic = "HEIC"
  }

  let format: Format
  let width: Int
  let height: Int

  init(format: Format, width: Int, height: Int) {
    (self.format, self.width, self.height) = (format, width, height)
  }

  /// Reads a header; `nil` if it has another format than these, or ends too early.
  init?(_ data: Data) {
    let reader = ByteReader(bytes: Array(data))
    guard let (format, size) = Self.size(reader), let size, size.0 > 0, size.1 > 0 else {
      return nil
    }
    (self.format, width, height) = (format, size.0, size.1)
  }

  /// The format of an image that iOS reads and this type does not; `nil` for other data.
  static func unreadFormat(of data: Data) -> String? {
    let reader = ByteReader(bytes: Array(data.prefix(4)))
    let marks: [(format: String, bytes: [UInt8])] = [
      ("TIFF", [0x49, 0x49, 0x2A, 0]), ("TIFF", [0x4D, 0x4D, 0, 0x2A]), ("BMP", [0x42, 0x4D]),
      ("ICO", [0, 0, 1, 0]),
    ]
    return marks.first { reader.has($0.bytes, at: 0) }?.format
  }

  private static func size(_ bytes: ByteReader) -> (Format, (Int, Int)?)? {
    if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
      let isHeader = bytes.has(Array("IHDR".utf8), at: 12)
      return (.png, isHeader ? bytes.pair(at: 16, count: 4) : nil)
    }
    if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return (.jpeg, jpeg(bytes)) }
    if bytes.has(Array("GIF8".utf8), at: 0) {
      return (.gif, bytes.pair(at: 6, count: 2, littleEndian: true))
    }
    if bytes.has(Array("RIFF".utf8), at: 0), bytes.has(Array("WEBP".utf8), at: 8) {
      return (.webP, webP(bytes))
    }
    if bytes.has(Array("ftyp".utf8), at: 4) { return (.heic, heic(bytes)) }
    return nil
  }

  /// The size of the first frame header (ITU-T T.81 section B.2.2).
  private static func jpeg(_ bytes: ByteReader) -> (Int, Int)? {
    var offset = 2
    while let marker = bytes.number(at: offset + 1, count: 1), bytes.has([0xFF], at: offset) {
      if marker == 0xFF {
        offset += 1
        continue
      }
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return bytes.pair(at: offset + 5, count: 2).map { ($0.1, $0.0) }
      }
      guard let length = bytes.number(at: offset + 2, count: 2), length >= 2 else { return nil }
      offset += 2 + length
    }
    return nil
  }

  /// The size of the canvas, or of the frame in a file without one (RFC 9649).
  private static func webP(_ bytes: ByteReader) -> (Int, Int)? {
    if bytes.has(Array("VP8X".utf8), at: 12) {
      return bytes.pair(at: 24, count: 3, littleEndian: true).map { ($0.0 + 1, $0.1 + 1) }
    }
    if bytes.has(Array("VP8L".utf8), at: 12), bytes.has([0x2F], at: 20) {
      return bytes.number(at: 21, count: 4, littleEndian: true).map {
        ($0 & 0x3FFF + 1, $0 >> 14 & 0x3FFF + 1)
      }
    }
    guard bytes.has(Array("VP8 ".utf8), at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23) else {
      return nil
    }
    return bytes.pair(at: 26, count: 2, littleEndian: true).map { ($0.0 & 0x3FFF, $0.1 & 0x3FFF) }
  }

  /// The largest size of an item (ISO/IEC 23008-12 section 6.5.3): the others are tiles and thumbnails.
  private static func heic(_ bytes: ByteReader) -> (Int, Int)? {
    guard
      ["heic", "heix", "mif1", "msf1", "avif"].contains(where: { bytes.has(Array($0.utf8), at: 8) })
    else { return nil }
    var largest: (Int, Int)?
    let name = Array("ispe".utf8)
    for offset in 0..<min(bytes.bytes.count, 65_536) where bytes.has(name, at: offset) {
      guard let size = bytes.pair(at: offset + 8, count: 4) else { break }
      if size.0 > largest?.0 ?? 0 { largest = size }
    }
    return largest
  }
}

/// Reads bytes that may end too early.
struct ByteReader {
  let bytes: [UInt8]

  func has(_ expected: [UInt8], at offset: Int) -> Bool {
    offset + expected.count <= bytes.count && bytes[offset...].starts(with: expected)
  }

  func number(at offset: Int, count: Int, littleEndian: Bool = false) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    let slice = bytes[offset..<(offset + count)]
    return (littleEndian ? Array(slice.reversed()) : Array(slice)).reduce(0) { $0 << 8 | Int($1) }
  }

  func pair(at offset: Int, count: Int, littleEndian: Bool = false) -> (Int, Int)? {
    guard let first = number(at: offset, count: count, littleEndian: littleEndian),
      let second = number(at: offset + count, count: count, littleEndian: littleEndian)
    else { return nil }
    return (first, second)
  }
}
