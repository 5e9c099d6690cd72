/// The text of an http or https URL, in which all characters after the host are those of a URL.
///
/// Senders often leave spaces and other characters unescaped. Before iOS 17, `URL(string:)` refuses
/// them. From iOS 17 on it escapes them, and also the `%` of characters that are escaped already. This
/// type gives each system the same text, with the escapes that browsers make. The host is left to
/// `URL(string:)`.
package struct MediaURLText {
  package private(set) var text: String
  /// Whether the authority has no port, or one from 1 to 65535.
  let hasValidPort: Bool

  /// Escapes the text of a URL or, as of the header `Location`, of a reference, which may be relative.
  package init(_ text: String, isReference: Bool = false) {
    let bytes = Array(text.utf8)
    // A colon after a slash is one of a relative path.
    let path = isReference ? bytes.firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex : nil
    let scheme =
      bytes[..<(path ?? bytes.endIndex)].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 }
      ?? (isReference ? bytes.startIndex : bytes.endIndex)
    let start = scheme + (bytes[scheme...].starts(with: "//".utf8) ? 2 : 0)
    let end =
      start == scheme
      ? start : bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    hasValidPort = Self.hasValidPort(bytes[start..<end])
    self.text = text
    if let escaped = Self.escaped(bytes[end...]) {
      self.text = String(decoding: bytes[..<end] + escaped, as: UTF8.self)
    }
  }

  private static func hasValidPort(_ authority: ArraySlice<UInt8>) -> Bool {
    let host = authority.lastIndex { "@]".utf8.contains($0) }.map { $0 + 1 } ?? authority.startIndex
    guard let colon = authority[host...].lastIndex(of: UInt8(ascii: ":")) else { return true }
    let port = authority[(colon + 1)...]
    return port.isEmpty || UInt16(String(decoding: port, as: UTF8.self)).map { $0 > 0 } ?? false
  }

  /// The bytes of a path, a query and a fragment with their escapes; `nil` if no byte needs an
  /// escape.
  private static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count)
    var isFragment = false
    for (index, byte) in zip(bytes.indices, bytes) {
      let isKept =
        switch byte {
        case UInt8(ascii: "#"): !isFragment
        case UInt8(ascii: "%"):
          bytes[(index + 1)...].prefix(2).count { hexDigits.contains($0) } == 2
        default: characters.contains(byte)
        }
      if byte == UInt8(ascii: "#") { isFragment = true }
      if isKept {
        escaped.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        escaped += Array((byte < 16 ? "%0" : "%").utf8) + Array(digits.utf8)
      }
    }
    return escaped.count == bytes.count ? nil : escaped
  }

  private static let hexDigits = Set("0123456789abcdefABCDEF".utf8)
  /// The characters of a path, a query and a fragment (RFC 3986 sections 3.3 to 3.5).
  private static let characters = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?".utf8)
}
