/// A request target, split into its path and its decoded query (RFC 9112, section 3.2).
package struct RequestTarget {
  let path: String
  let query: [(name: String, value: String)]

  init(_ raw: String) {
    var target = Substring(raw)
    // The absolute form is meant for proxies, but a server must accept it too (RFC 9112, section 3.2.2).
    if raw.utf8.first != UInt8(ascii: "/") {
      for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
        target = target.dropFirst(scheme.count)
        target = target.drop { $0 != "/" && $0 != "?" }
        if target.first != "/" { target = "/" + target }
      }
    }
    if let fragment = target.utf8.firstIndex(of: UInt8(ascii: "#")) { target = target[..<fragment] }
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      path = Self.normalized(target)
      query = []
      return
    }
    path = Self.normalized(target[..<mark])
    query = target[target.index(after: mark)...].split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.text(sides[0]), sides.count > 1 ? Self.text(sides[1]) : "")
    }
  }

  /// Returns a path in the form in which paths are compared, without empty segments and without escapes of letters,
  /// digits, `-`, `.`, `_` and `~` (RFC 3986, section 6.2.2).
  private static func normalized(_ path: Substring) -> String {
    let slash = UInt8(ascii: "/")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(path.utf8.count)
    var rest = path.utf8[...]
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = escapedByte(rest), isUnreserved(escaped) {
        byte = escaped
        rest = rest.dropFirst(2)
      }
      if byte != slash || bytes.last != slash { bytes.append(byte) }
    }
    if bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The byte for the two hexadecimal digits at the start of a text.
  private static func escapedByte(_ text: Substring.UTF8View) -> UInt8? {
    guard let high = text.first.flatMap(hexDigit),
      let low = text.dropFirst().first.flatMap(hexDigit)
    else { return nil }
    return high << 4 | low
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The decoded text, or the unchanged text if its escapes are not UTF-8.
  ///
  /// With replacement characters, two different names would become the same.
  private static func text(_ encoded: Substring) -> String { decoded(encoded) ?? String(encoded) }

  /// Decodes form-encoded text: `+` is a space and `%41` an A; an invalid escape is unchanged.
  ///
  /// - Returns: The decoded text; `nil` if it is not UTF-8.
  package static func decoded(_ text: Substring) -> String? {
    // Without contiguous storage, a part of a string is copied byte by byte.
    let source = unsafe text.utf8.withContiguousStorageIfAvailable(Array.init) ?? Array(text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      switch source[index] {
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        if index + 2 < source.count, let high = hexDigit(source[index + 1]),
          let low = hexDigit(source[index + 2])
        {
          bytes.append(high << 4 | low)
          index += 2
        } else {
          bytes.append(source[index])
        }
      case let other:
        bytes.append(other)
      }
      index += 1
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
