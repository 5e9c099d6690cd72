/// A search for one string in others, byte by byte: in UTF-8 a match begins and ends between characters.
///
/// It uses the algorithm of Knuth, Morris and Pratt, which reads each byte once, whatever the strings are.
struct ByteSearch {
  private let needle: [UInt8]
  /// For each length of a partial match, the length of the longest shorter one that ends at the same byte.
  private let shorter: [Int]

  init(_ needle: String) {
    let needle = Array(needle.utf8)
    var shorter = [Int](repeating: 0, count: needle.count + 1)
    var length = 0
    for index in needle.indices.dropFirst() {
      while length > 0, needle[length] != needle[index] { length = shorter[length] }
      if needle[length] == needle[index] { length += 1 }
      shorter[index + 1] = length
    }
    self.needle = needle
    self.shorter = shorter
  }

  func isFound(in text: String) -> Bool {
    needle.isEmpty || !positions(in: Array(text.utf8), limit: 1).isEmpty
  }

  /// The offsets of the matches from the start, at most `limit`; matches do not overlap.
  ///
  /// An empty string is found before each character and at the end.
  func positions(in bytes: [UInt8], limit: Int = .max) -> [Int] {
    guard !needle.isEmpty else { return Array(Self.boundaries(in: bytes).prefix(limit)) }
    var positions: [Int] = []
    forEachMatch(in: bytes) { position in
      if position >= (positions.last ?? -needle.count) + needle.count { positions.append(position) }
      return positions.count < limit
    }
    return positions
  }

  /// The offset of the last match.
  func lastPosition(in bytes: [UInt8]) -> Int? {
    guard !needle.isEmpty else { return bytes.count }
    var last: Int?
    forEachMatch(in: bytes) { position in
      last = position
      return true
    }
    return last
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

  private static func boundaries(in bytes: [UInt8]) -> [Int] {
    let characters = String(decoding: bytes, as: UTF8.self)
    return characters.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.utf8.count) }
  }

  /// Calls `body` with the offset of each match, including overlapping ones, until it returns `false`.
  private func forEachMatch(in bytes: [UInt8], _ body: (Int) -> Bool) {
    var length = 0
    for index in bytes.indices {
      while length > 0, needle[length] != bytes[index] { length = shorter[length] }
      if needle[length] == bytes[index] { length += 1 }
      guard length == needle.count else { continue }
      guard body(index + 1 - needle.count) else { return }
      length = shorter[length]
    }
  }
}
