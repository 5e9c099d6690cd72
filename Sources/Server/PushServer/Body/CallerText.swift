import PushPayload

/// The rule for texts in requests: UTF-8 without U+0000.
enum CallerText {
  /// The problem with a text that has U+0000; it follows the text's place in a message.
  ///
  /// PostgreSQL cannot store the character, so both databases refuse it.
  static let zeroAdvice = "has the character U+0000, which cannot be stored; remove it"

  /// Whether a text has U+0000.
  static func hasZero(_ text: String) -> Bool { text.utf8.contains(0) }

  /// Whether bytes begin as a gzip file does (RFC 1952 section 2.3.1).
  static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// The problem with the bytes of a text, which follows the text's place in a message; `nil` if they are valid.
  static func problem(in bytes: [UInt8], of what: String) -> String? {
    if TextEncoding.firstFault(in: bytes) == nil { return bytes.contains(0) ? zeroAdvice : nil }
    return TextEncoding.problem(in: bytes, of: what)
  }
}

extension BodyValue {
  /// Reads JSON that a caller sent.
  ///
  /// - Parameters:
  ///   - bytes: The JSON.
  ///   - what: The name of the JSON in an error, such as "the body".
  ///   - path: The path of the value if it is not the root of a body.
  /// - Throws: ``RequestError`` `.malformed` if the bytes are not JSON or repeat a key; `.invalid` if a text has U+0000.
  init(parsing bytes: [UInt8], as what: String, at path: String? = nil) throws(RequestError) {
    do throws(JSONError) {
      self.init(try JSONValue(parsing: bytes, refusingRepeatedKeys: true), at: path ?? "$")
    } catch {
      let problem =
        CallerText.isGzip(bytes) ? "compressed by gzip; send it unpacked" : error.message
      throw RequestError(.malformed, "\(what) is \(problem)", at: path)
    }
    // JSON writes the character only as an escape sequence, so most bodies are not searched.
    guard Self.hasEscapedZero(bytes) else { return }
    try refuseZero()
  }

  private static func hasEscapedZero(_ bytes: [UInt8]) -> Bool {
    let escape = Array("\\u0000".utf8)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: escape[0]) {
      if bytes[start...].starts(with: escape) { return true }
      rest = bytes[(start + 1)...]
    }
    return false
  }

  /// Refuses U+0000 in any text of this value.
  func refuseZero() throws(RequestError) {
    switch value {
    case .string(let text):
      if CallerText.hasZero(text) { throw .refused(path, CallerText.zeroAdvice) }
    case .array: for element in try elements() { try element.refuseZero() }
    case .object(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        if CallerText.hasZero(key) {
          throw .refused(path, "has a key that \(CallerText.zeroAdvice)")
        }
        try member(key, value).refuseZero()
      }
    default: break
    }
  }
}
