/// How a request says where its body ends, and the refusal of every request that says it in two ways.
///
/// A server and a proxy that disagree here can be made to see different requests ("smuggling"), so
/// whatever is not said exactly once is refused (RFC 9112, 6.3 and 11.2). libmicrohttpd 0.9.75
/// takes the first of two lengths, and reads a chunked body that carries a length too.
enum MessageFraming: Equatable {
  case length(Int)
  case chunked

  /// An answer that ends the connection.
  struct Refusal: Error, Equatable {
    let status: Int
    let reason: String
  }

  init(version: String, headers: [(name: String, value: String)]) throws(Refusal) {
    guard headers.allSatisfy({ Self.isWellFormed(name: $0.name, value: $0.value) }) else {
      throw Refusal(status: 400, reason: "a header field holds characters it may not")
    }
    let lengths = headers.filter { HTTPFieldName.equal($0.name, "content-length") }
    let codings = headers.filter { HTTPFieldName.equal($0.name, "transfer-encoding") }
    let hosts = headers.filter { HTTPFieldName.equal($0.name, "host") }

    guard hosts.count == 1 || (hosts.isEmpty && version == "HTTP/1.0") else {
      throw Refusal(status: 400, reason: "a request has one Host header")
    }
    guard lengths.count <= 1 else {
      throw Refusal(status: 400, reason: "Content-Length is given more than once")
    }
    guard lengths.isEmpty || codings.isEmpty else {
      throw Refusal(status: 400, reason: "Content-Length and Transfer-Encoding exclude each other")
    }
    if let coding = codings.first {
      guard codings.count == 1, version != "HTTP/1.0" else {
        throw Refusal(status: 400, reason: "Transfer-Encoding cannot be read")
      }
      guard HTTPFieldName.equal(coding.value, "chunked") else {
        throw Refusal(status: 501, reason: "the only transfer coding here is chunked")
      }
      self = .chunked
    } else if let length = lengths.first?.value {
      guard !length.isEmpty, length.utf8.allSatisfy(Self.isDigit), let bytes = Int(length) else {
        throw Refusal(status: 400, reason: "Content-Length is a number of bytes")
      }
      self = .length(bytes)
    } else {
      self = .length(0)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// A name is a token; a value has no control character but the tab (RFC 9110, 5.1 and 5.5).
  private static func isWellFormed(name: String, value: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
      && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
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
