/// Base64 with the URL-safe alphabet and no padding (RFC 4648 section 5).
public enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Encodes bytes.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: The text, without padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var bits: UInt32 = 0
    var held = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      held += 8
      while held >= 6 {
        held -= 6
        text.append(alphabet[Int(bits >> held & 63)])
      }
    }
    if held > 0 { text.append(alphabet[Int(bits << (6 - held) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes text strictly: no padding, no other character, no stray bits at the end.
  ///
  /// - Parameters:
  ///   - text: The encoded text.
  ///   - isLenient: Whether the standard alphabet, padding and stray bits are accepted, too.
  /// - Returns: The bytes, or `nil` if the text is not such an encoding.
  public static func decode(
    _ text: some StringProtocol, isLenient: Bool = false
  ) -> [UInt8]? {
    var characters = Array(text.utf8)
    if isLenient {
      while characters.last == UInt8(ascii: "=") { characters.removeLast() }
    }
    guard characters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count * 3 / 4)
    var bits: UInt32 = 0
    var held = 0
    for character in characters {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "+") where isLenient: value = 62
      case UInt8(ascii: "/") where isLenient: value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> held))
      }
    }
    guard isLenient || bits & (1 << held - 1) == 0 else { return nil }
    return bytes
  }
}
