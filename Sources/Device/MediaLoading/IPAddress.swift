import Foundation

/// A parser of IP addresses that accepts the forms that resolvers accept.
enum IPAddress {
  /// Parses an IPv4 address as `inet_aton` does: one to four decimal, octal or hexadecimal numbers, the last of
  /// which fills the remaining bytes.
  static func bytes(ofIPv4 text: some StringProtocol) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 4, let last = parts.last.flatMap({ number($0) }) else { return nil }
    let leading = parts.dropLast().compactMap { number($0).flatMap(UInt8.init(exactly:)) }
    let rest = 4 - leading.count
    guard leading.count == parts.count - 1, last >> (8 * UInt64(rest)) == 0 else { return nil }
    return leading + (0..<rest).reversed().map { UInt8(truncatingIfNeeded: last >> (8 * $0)) }
  }

  /// Whether a host's label has the form of a number, even one that is too large for an address.
  static func isNumber(_ label: some StringProtocol) -> Bool {
    let isDecimal = !label.isEmpty && label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isDecimal || label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
  }

  private static func number(_ text: some StringProtocol) -> UInt64? {
    // 16 digits are enough for any 32-bit number with leading zeros.
    guard let first = text.utf8.first, (0x30...0x39).contains(first), text.utf8.count <= 16 else {
      return nil
    }
    if text.hasPrefix("0x") || text.hasPrefix("0X") {
      let digits = text.dropFirst(2)
      guard digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-") else {
        return nil
      }
      return digits.isEmpty ? 0 : UInt64(digits, radix: 16)
    }
    return UInt64(text, radix: first == UInt8(ascii: "0") ? 8 : 10)
  }

  /// Parses an IPv6 address (RFC 4291 section 2.2).
  ///
  /// A zone (RFC 4007) is ignored.
  static func bytes(ofIPv6 text: some StringProtocol) -> [UInt8]? {
    guard text.contains(":"), text.utf8.count <= 100 else { return nil }
    let address = text.prefix { $0 != "%" }
    let halves = String(address).components(separatedBy: "::")
    switch halves.count {
    case 1:
      guard let bytes = groups(halves[0]), bytes.count == 16 else { return nil }
      return bytes
    case 2:
      // The dotted form of the last 32 bits is allowed only at the end.
      guard !halves[0].contains("."), let head = groups(halves[0]), let tail = groups(halves[1]),
        head.count + tail.count <= 14
      else { return nil }
      return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    default: return nil
    }
  }

  /// Parses groups of up to four hexadecimal digits; the last may be an IPv4 address.
  private static func groups(_ text: String) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(".") {
        guard part.split(separator: ".").count == 4, let dotted = Self.bytes(ofIPv4: part) else {
          return nil
        }
        bytes += dotted
      } else {
        guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
          let group = UInt16(part, radix: 16)
        else { return nil }
        bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
      }
    }
    return bytes
  }
}
