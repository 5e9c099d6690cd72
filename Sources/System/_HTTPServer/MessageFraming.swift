/// The framing of a request's body, by `Content-Length` or chunks.
///
/// Every request with ambiguous framing is refused, because a server and a proxy that read it differently could be made
/// to see different requests ("request smuggling"; RFC 9112, sections 6.3 and 11.2).
enum MessageFraming: Equatable {
  case length(Int)
  case chunked

  /// The refusal of a request, after which the connection is closed.
  struct Refusal: Error, Equatable {
    let status: Int
    let reason: String
  }

  init(version: String, headers: [(name: String, value: String)]) throws(Refusal) {
    guard headers.allSatisfy({ Self.isWellFormed(name: $0.name, value: $0.value) }) else {
      throw Refusal(status: 400, reason: "a header field has characters that are not allowed")
    }
    let lengths = headers.filter { HTTPFieldName.equal($0.name, "content-length") }
    let codings = headers.filter { HTTPFieldName.equal($0.name, "transfer-encoding") }
    let hosts = headers.filter { HTTPFieldName.equal($0.name, "host") }

    guard hosts.count == 1 || (hosts.isEmpty && version == "HTTP/1.0") else {
      throw Refusal(status: 400, reason: "a request must have exactly one Host header")
    }
    guard lengths.count <= 1 else {
      throw Refusal(status: 400, reason: "Content-Length is given more than once")
    }
    guard lengths.isEmpty || codings.isEmpty else {
      throw Refusal(
        status: 400, reason: "Content-Length and Transfer-Encoding cannot be given together")
    }
    if let coding = codings.first {
      guard codings.count == 1, version != "HTTP/1.0" else {
        throw Refusal(status: 400, reason: "Transfer-Encoding must be given once, with HTTP/1.1")
      }
      guard HTTPFieldName.equal(coding.value, "chunked") else {
        throw Refusal(status: 501, reason: "Transfer-Encoding must be chunked")
      }
      self = .chunked
    } else if let length = lengths.first?.value {
      guard !length.isEmpty, length.utf8.allSatisfy(Self.isDigit), let bytes = Int(length) else {
        throw Refusal(status: 400, reason: "Content-Length must be a number of bytes")
      }
      self = .length(bytes)
    } else {
      self = .length(0)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Whether the name is a token, and the value has no control characters except the tab (RFC 9110,
  /// sections 5.1 and 5.5).
  private static func isWellFormed(name: String, value: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
      && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
  }

  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    case UInt8(ascii: "-"): true
    default:
      "!#$%&'*+.^_`|~".utf8.contains(byte)
    }
  }
}
