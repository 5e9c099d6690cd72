import Glibc
import NetworkAddresses

/// A reader of the header that a proxy sends before a connection's own bytes (PROXY protocol, versions 1 and 2).
///
/// Source: "The PROXY protocol" by HAProxy Technologies, sections 2.1 and 2.2. The reader asks for exactly the
/// bytes that it needs, because TLS may begin with the next one.
struct ProxyHeader {
  enum Progress: Equatable {
    /// This number of further bytes is needed.
    case more(Int)
    /// The header has ended; `address` is `nil` if the proxy names none, as for its own health checks.
    case done(address: String?)
    /// The connection has no header, but begins with these bytes.
    case absent([UInt8])
    case malformed
  }

  /// The longest header of version 1, with its CR LF.
  static let lineLimit = 107
  /// The most bytes after the start of a version 2 header: addresses, and fields such as the TLS version.
  static let restLimit = 2048

  private static let signature: [UInt8] = [
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
  ]
  private static let word = Array("PROXY ".utf8)

  private var bytes: [UInt8] = []

  /// Whether no bytes were added yet.
  var isEmpty: Bool { bytes.isEmpty }

  /// Adds at most as many bytes as were requested; the first call adds none.
  mutating func next(_ more: some Sequence<UInt8> = []) -> Progress {
    bytes += more
    let isFirst = Self.word.starts(with: bytes.prefix(Self.word.count))
    let isSecond = Self.signature.starts(with: bytes.prefix(Self.signature.count))
    guard isFirst || isSecond else { return .absent(bytes) }
    return isFirst && !bytes.isEmpty ? firstVersion() : secondVersion()
  }

  private func firstVersion() -> Progress {
    guard bytes.count >= Self.word.count, bytes.last == UInt8(ascii: "\n") else {
      return bytes.count < Self.lineLimit ? .more(1) : .malformed
    }
    guard bytes.dropLast().last == UInt8(ascii: "\r") else { return .malformed }
    let words = String(decoding: bytes.dropLast(2), as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false)
    if words.count >= 2, words[1] == "UNKNOWN" { return .done(address: nil) }
    guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6", UInt16(words[4]) != nil,
      UInt16(words[5]) != nil, let address = NumericAddress(String(words[2])),
      address.isIPv6 == (words[1] == "TCP6")
    else { return .malformed }
    return .done(address: address.text)
  }

  private func secondVersion() -> Progress {
    guard bytes.count > 0 else { return .more(1) }
    guard bytes.count >= 16 else {
      // Until it is certainly a header, one byte is read at a time, so that no byte of a request is taken.
      return .more(bytes.count < Self.signature.count ? 1 : 16 - bytes.count)
    }
    let length = Int(bytes[14]) << 8 | Int(bytes[15])
    guard bytes[12] >> 4 == 2, bytes[12] & 15 < 2, length <= Self.restLimit else {
      return .malformed
    }
    guard bytes.count == 16 + length else { return .more(16 + length - bytes.count) }
    // A proxy sends LOCAL for its own connections.
    guard bytes[12] & 15 == 1 else { return .done(address: nil) }
    let rest = bytes[16...]
    switch bytes[13] >> 4 {
    case 1:
      guard length >= 12 else { return .malformed }
      return .done(address: NumericAddress(Array(rest.prefix(4))).text)
    case 2:
      guard length >= 36 else { return .malformed }
      return .done(address: NumericAddress(Array(rest.prefix(16))).text)
    default: return .done(address: nil)
    }
  }
}
