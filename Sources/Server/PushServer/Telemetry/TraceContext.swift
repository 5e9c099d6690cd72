/// The position of a span in a trace, which the `traceparent` of W3C Trace Context carries between programs.
struct TraceContext: Hashable, Sendable {
  /// The trace's id of 32 lowercase hexadecimal digits, not all 0.
  var traceID: String
  /// The span's id of 16 lowercase hexadecimal digits, not all 0.
  var spanID: String
  /// Whether the caller records the trace.
  var isSampled = true

  /// Reads the header field's value; `nil` if it is not valid, in which case it is ignored.
  init?(traceparent text: String) {
    let bytes = Array(text.utf8.prefix(56))
    let dash = UInt8(ascii: "-")
    guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash else {
      return nil
    }
    guard let version = Self.hex(bytes[0..<2]), let trace = Self.hex(bytes[3..<35]),
      let span = Self.hex(bytes[36..<52]), let flags = Self.hex(bytes[53..<55])
    else { return nil }
    // A later version may add fields after these. Version ff is forbidden.
    guard version != "ff", bytes.count == 55 || (version != "00" && bytes[55] == dash) else {
      return nil
    }
    guard trace.contains(where: { $0 != "0" }), span.contains(where: { $0 != "0" }) else {
      return nil
    }
    (traceID, spanID) = (trace, span)
    isSampled = UInt8(flags, radix: 16).map { $0 & 1 == 1 } ?? false
  }

  init(traceID: String, spanID: String) {
    self.traceID = traceID
    self.spanID = spanID
  }

  /// The header field's value.
  var traceparent: String { "00-\(traceID)-\(spanID)-0\(isSampled ? 1 : 0)" }

  private static func hex(_ bytes: ArraySlice<UInt8>) -> String? {
    let isHex = bytes.allSatisfy {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
    }
    return isHex ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
