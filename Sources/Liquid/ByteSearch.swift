/// Finds one text in others, byte by byte: in UTF-8 what matches begins and ends between characters.
struct ByteSearch {
  private let needle: [UInt8]

  init(_ needle: String) { self.needle = Array(needle.utf8) }

  func isFound(in text: String) -> Bool {
    needle.isEmpty || !places(in: Array(text.utf8), most: 1).isEmpty
  }

  /// Where it begins, from the front, no two overlapping.
  func places(in bytes: [UInt8], most: Int = .max) -> [Int] {
    var places: [Int] = []
    var index = 0
    while places.count < most, !needle.isEmpty, index + needle.count <= bytes.count {
      if matches(bytes, at: index) {
        places.append(index)
        index += needle.count
      } else {
        index += 1
      }
    }
    return places
  }

  /// Where it begins for the last time.
  func lastPlace(in bytes: [UInt8]) -> Int? {
    guard !needle.isEmpty, needle.count <= bytes.count else { return nil }
    return (0...bytes.count - needle.count).last { matches(bytes, at: $0) }
  }

  /// What stands between the places.
  func parts(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    return parts(of: bytes, at: places(in: bytes)).map { String(decoding: $0, as: UTF8.self) }
  }

  func parts(of bytes: [UInt8], at places: [Int]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    for place in places {
      parts.append(bytes[start..<place])
      start = place + needle.count
    }
    return parts + [bytes[start...]]
  }

  private func matches(_ bytes: [UInt8], at index: Int) -> Bool {
    guard bytes[index] == needle[0] else { return false }
    return bytes[index..<index + needle.count].elementsEqual(needle)
  }
}
