/// An uploaded media file, which phones fetch from this server.
package struct Upload: Hashable, Sendable {
  /// 128 random bits in hexadecimal and the extension of the media type.
  ///
  /// Whoever knows the name may fetch the file.
  package var name: String
  package var app: String
  package var createdAt: Timestamp

  package init(name: String, app: String, createdAt: Timestamp) {
    self.name = name
    self.app = app
    self.createdAt = createdAt
  }

  /// Whether a text has the form of ``name``.
  package static func isName(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8.prefix(longestName + 1))
    return bytes.count <= longestName && nameLength(in: bytes[...]) == bytes.count
  }

  /// The upload names that occur in a text, such as the JSON of a payload.
  package static func names(in text: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    var start = 0
    while start < text.count {
      let digits = text[start...].prefix(while: isHexDigit).count
      if digits >= 32, let length = nameLength(in: text[(start + digits - 32)...]) {
        let first = start + digits - 32
        names.insert(String(decoding: text[first..<first + length], as: UTF8.self))
      }
      start += digits + 1
    }
    return names
  }

  private static let longestName = 32 + 1 + 4

  /// The length of the name at the start of a text; `nil` if the text does not start with a name.
  ///
  /// A name has 32 hexadecimal digits, a dot, and 3 or 4 letters or digits.
  private static func nameLength(in text: ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix(32)
    guard digits.count == 32, digits.allSatisfy(isHexDigit),
      text.dropFirst(32).first == UInt8(ascii: ".")
    else { return nil }
    let letters = text.dropFirst(33).prefix(5).prefix {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
    }
    return (3...4).contains(letters.count) ? 33 + letters.count : nil
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
  }
}
