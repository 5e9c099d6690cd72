/// A search for one string in others, byte by byte: in UTF-8 a match begins and ends between characters.
struct ByteSearch {
  private let needle: [UInt8]

  init(_ needle: String) { self.needle = Array(needle.utf8) }

  func isFound(in text: String) -> Bool {
    needle.isEmpty || !positions(in: Array(text.utf8), limit: 1).isEmpty
  }

  /// The offsets of the matches from the start, at most `limit`; matches do not overlap.
  func positions(in bytes: [UInt8], limit: Int = .max) -> [Int] {
    var positions: [Int] = []
    var index = 0
    while positions.count < limit, !needle.isEmpty, index + needle.count <= bytes.count {
      if matches(bytes, at: index) {
        positions.append(index)
        index += needle.count
      } else {
        index += 1
      }
    }
    return positions
  }

  /// The offset of the last match.
  func lastPosition(in bytes: [UInt8]) -> Int? {
    guard !needle.isEmpty, needle.count <= bytes.count else { return nil }
    return (0...bytes.count - needle.count).last { matches(bytes, at: $0) }
  }

  /// The parts of a text between the matches.
  func parts(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    return parts(of: bytes, around: positions(in: bytes)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The parts of a text between matches at these offsets.
  func parts(of bytes: [UInt8], around positions: [Int]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    for position in positions {
      parts.append(bytes[start..<position])
      start = position + needle.count
    }
    return parts + [bytes[start...]]
  }

  private func matches(_ bytes: [UInt8], at index: Int) -> Bool {
    guard bytes[index] == needle[0] else { return false }
    return bytes[index..<index + needle.count].elementsEqual(needle)
  }
}
