import Glibc

/// The orientation in the Exif data of a JPEG file, which may swap width and height.
///
/// Exif 2.32, 4.6.4 A, tag 0x0112; the segments are those of ITU-T T.81, B.1.1.4.
struct JPEGOrientation {
  /// The bytes of a file that are read, enough for two of the longest segments.
  private static let maximumBytes = 131_072

  /// Whether the picture of a file is shown on its side; `false` for a file without Exif data.
  static func isTurned(file path: String) -> Bool {
    guard let file = unsafe fopen(path, "re") else { return false }
    defer { unsafe fclose(file) }
    var buffer = [UInt8](repeating: 0, count: maximumBytes)
    let count = unsafe fread(&buffer, 1, buffer.count, file)
    return (5...8).contains(JPEGOrientation(bytes: buffer[..<count]).value ?? 1)
  }

  private let bytes: ArraySlice<UInt8>

  init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The value, 1 to 8 in a valid file; `nil` if the file has no orientation.
  var value: Int? {
    guard number(at: 0, bigEndian: true) == 0xFFD8 else { return nil }
    var start = 2
    while let marker = number(at: start, bigEndian: true), marker >= 0xFF00, marker != 0xFFDA,
      let length = number(at: start + 2, bigEndian: true), length >= 2
    {
      if marker == 0xFFE1, let value = orientation(inSegmentAt: start + 4) { return value }
      start += 2 + length
    }
    return nil
  }

  private func orientation(inSegmentAt start: Int) -> Int? {
    guard byte(start) == 0x45, byte(start + 1) == 0x78, byte(start + 2) == 0x69,
      byte(start + 3) == 0x66
    else { return nil }
    let header = start + 6
    guard let order = byte(header), order == 0x49 || order == 0x4D,
      byte(header + 1) == order
    else { return nil }
    let isBig = order == 0x4D
    // The directory is in the same segment, so that its offset has two bytes.
    guard let offset = number(at: header + (isBig ? 6 : 4), bigEndian: isBig),
      let count = number(at: header + offset, bigEndian: isBig)
    else { return nil }
    for entry in 0..<min(count, 256) {
      let place = header + offset + 2 + 12 * entry
      guard let tag = number(at: place, bigEndian: isBig) else { return nil }
      if tag == 0x0112 { return number(at: place + 8, bigEndian: isBig) }
    }
    return nil
  }

  private func byte(_ offset: Int) -> UInt8? {
    offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
  }

  /// A number of two bytes.
  private func number(at offset: Int, bigEndian: Bool) -> Int? {
    guard let first = byte(offset), let second = byte(offset + 1) else { return nil }
    return bigEndian ? Int(first) << 8 | Int(second) : Int(second) << 8 | Int(first)
  }
}
