#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Filter {
  /// Filters that encode a string for HTML, for a URL or as base64, and decode it.
  static let encoding: [String: Filter] = [
    "escape": ofText { text in escaped(text) },
    "escape_once": ofText { text in escaped(text, keepsEntities: true) },
    "url_encode": ofText { text in
      var bytes: [UInt8] = []
      for byte in text.utf8 {
        switch byte {
        case 0x20: bytes.append(UInt8(ascii: "+"))
        case _ where byte.isWord || "-.~".utf8.contains(byte): bytes.append(byte)
        default: bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    },
    "url_decode": ofText { text, _, _ throws(RenderingError) in
      let bytes = Array(text.utf8)
      var result: [UInt8] = []
      var index = 0
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
          let high = value(bytes[index + 1]), let low = value(bytes[index + 2])
        {
          result.append(high << 4 | low)
          index += 3
        } else {
          result.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
          index += 1
        }
      }
      guard let text = String(validating: result, as: UTF8.self) else {
        throw RenderingError(.value, "'url_decode' has a result that is not UTF-8")
      }
      return text
    },
    "base64_encode": ofText { text in Data(text.utf8).base64EncodedString() },
    "base64_decode": ofText { text, _, _ throws(RenderingError) in try decoded(text) },
    "base64_url_safe_encode": ofText { text in
      String(
        Data(text.utf8).base64EncodedString().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    },
    "base64_url_safe_decode": ofText { text, _, _ throws(RenderingError) in
      let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
      return try decoded(String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + padding)
    },
  ]

  private static func decoded(_ text: String) throws(RenderingError) -> String {
    guard let data = Data(base64Encoded: text), let text = String(validating: data, as: UTF8.self)
    else { throw RenderingError(.value, "the value is not base64 of UTF-8") }
    return text
  }

  private static func escaped(_ text: String, keepsEntities: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "&") where keepsEntities && isEntity(bytes, at: index):
        result.append(byte)
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      case UInt8(ascii: "'"): result += "&#39;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether the bytes at an index are an entity such as `&name;` or `&#1234;`.
  private static func isEntity(_ bytes: [UInt8], at index: Int) -> Bool {
    var name = bytes[(index + 1)...].prefix(33)
    if name.first == UInt8(ascii: "#") { name.removeFirst() }
    let letters = name.prefix { $0.isWord && $0 != UInt8(ascii: "_") }
    return !letters.isEmpty && name.dropFirst(letters.count).first == UInt8(ascii: ";")
  }

  private static func digit(_ value: UInt8) -> UInt8 { Array("0123456789ABCDEF".utf8)[Int(value)] }

  private static func value(_ digit: UInt8) -> UInt8? {
    digit < 0x80 ? Character(UnicodeScalar(digit)).hexDigitValue.map(UInt8.init) : nil
  }
}
