/// The facts in the head of a picture's file: its size, and whether it can be decoded row by row.
///
/// Source: ITU-T T.81 annex B.1.1.3 (markers) and B.2.2 (frame header), RFC 2083 section 4.1.1 (IHDR), the GIF89a
/// specification section 18, Exif 2.32 section 4.5 (the orientation in APP1).
package struct PictureHeader: Hashable, Sendable {
  private static let maximumSegments = 1000

  /// The size of the picture as it is shown; `nil` if the head does not give it.
  package private(set) var pixels: PixelSize?
  /// Whether a decoder can handle one row after the other.
  ///
  /// A decoder of a progressive JPEG or an interlaced PNG holds all rows in memory.
  package private(set) var isSequential = false
  /// Whether the metadata of a JPEG turns it by 90 degrees, which swaps width and height.
  package private(set) var isOnItsSide = false

  /// Reads the head of a PNG, GIF or JPEG file; `nil` for other files.
  ///
  /// `read` returns a number of bytes at an offset; `nil` if the file ends before them.
  package init?(read: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let head = read(0, 10) else { return nil }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      guard let header = read(0, 29) else { return nil }
      pixels =
        PixelSize(
          width: Self.number(header[16..<20]), height: Self.number(header[20..<24])
        ).plausible
      isSequential = header[28] == 0
    } else if head.starts(with: Array("GIF8".utf8)) {
      pixels =
        PixelSize(
          width: Self.number([head[7], head[6]]), height: Self.number([head[9], head[8]])
        ).plausible
    } else if head.starts(with: [0xFF, 0xD8]) {
      readJPEG(read)
    } else {
      return nil
    }
  }

  private mutating func readJPEG(_ read: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    var offset = 2
    for _ in 0..<Self.maximumSegments {
      guard let segment = read(offset, 4), segment[0] == 0xFF else { return }
      let length = Self.number(segment[2...])
      switch segment[1] {
      case 0xFF: offset += 1  // A fill byte.
      case 0x01, 0xD0...0xD7: offset += 2  // Markers without a length.
      case 0xC4, 0xC8, 0xCC, 0xDB...0xEF, 0xFE:
        // A file may have several segments of this kind; one of them is Exif.
        if segment[1] == 0xE1, !isOnItsSide {
          isOnItsSide = ExifOrientation.isOnItsSide(at: offset + 4, length: length - 2, read: read)
        }
        offset += 2 + length
      case 0xC0...0xCF:
        isSequential = segment[1] <= 0xC1
        guard let frame = read(offset + 5, 4) else { return }
        let (height, width) = (Self.number(frame[..<2]), Self.number(frame[2...]))
        pixels =
          PixelSize(
            width: isOnItsSide ? height : width, height: isOnItsSide ? width : height
          ).plausible
        return
      default: return
      }
    }
  }

  /// Whether a decoder needs less than twice the side of a thumbnail, or just that, while it scales the picture down.
  ///
  /// It scales by powers of two while it handles the rows, at most to an eighth.
  package func isScaledByRows(to side: Int) -> Bool {
    guard isSequential, let pixels else { return false }
    return max(pixels.width, pixels.height) <= 16 * side
  }

  /// A number with its highest byte first.
  fileprivate static func number(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The orientation in the metadata of a JPEG: cameras write rows in the order of their sensor.
private enum ExifOrientation {
  private static let maximumEntries = 100
  private static let tag = 0x0112

  /// Reads the content of a segment.
  ///
  /// - Parameters:
  ///   - start: The offset of the segment's content.
  ///   - length: The content's length.
  ///   - read: Returns a number of bytes at an offset.
  /// - Returns: Whether the picture is shown after a turn by 90 degrees, which swaps width and height.
  static func isOnItsSide(
    at start: Int, length: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> Bool {
    guard length >= 14, let head = read(start, 14), head.starts(with: Array("Exif\0\0".utf8))
    else { return false }
    let isLittle = head[6] == UInt8(ascii: "I")
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      PictureHeader.number(isLittle ? Array(bytes.reversed()) : Array(bytes))
    }
    let directory = number(head[10..<14])
    // Offsets count from the byte order mark.
    guard 0...(length - 8) ~= directory, let count = read(start + 6 + directory, 2) else {
      return false
    }
    for index in 0..<min(number(count[...]), maximumEntries) {
      let place = 6 + directory + 2 + 12 * index
      guard place + 12 <= length, let entry = read(start + place, 12) else { return false }
      if number(entry[..<2]) == tag { return 5...8 ~= number(entry[8..<10]) }
    }
    return false
  }
}

extension PixelSize {
  /// The size, unless a side is empty or longer than any format that iOS decodes allows.
  fileprivate var plausible: PixelSize? {
    1...65_535 ~= width && 1...65_535 ~= height ? self : nil
  }
}
