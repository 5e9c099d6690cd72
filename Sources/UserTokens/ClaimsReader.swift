import PushPayload

/// A reader of the JSON objects of a token, in which no name may repeat: two readers could take different ones.
enum ClaimsReader {
  /// The most levels of arrays and objects.
  static let maximumDepth = 8

  /// Reads one object; `nil` where the bytes are anything else, nest too deep, or have a name twice.
  static func members(of bytes: [UInt8]) -> [String: JSONValue]? {
    guard let value = try? JSONValue(parsing: bytes), let members = value.object,
      var tokens = try? JSONTokens(bytes), hasUniqueNames(&tokens, depth: 0)
    else { return nil }
    return members
  }

  /// Reads over one value, whose syntax was checked before.
  private static func hasUniqueNames(_ tokens: inout JSONTokens, depth: Int) -> Bool {
    tokens.skipSpace()
    let isObject = tokens.next == UInt8(ascii: "{")
    guard isObject || tokens.next == UInt8(ascii: "[") else {
      return (try? tokens.scalar()) != nil
    }
    guard depth < maximumDepth else { return false }
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    _ = tokens.skip(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    guard !tokens.skip(end) else { return true }
    var names: Set<String> = []
    repeat {
      tokens.skipSpace()
      if isObject {
        guard let name = try? tokens.string(), names.insert(name).inserted,
          tokens.skip(UInt8(ascii: ":"))
        else { return false }
      }
      guard hasUniqueNames(&tokens, depth: depth + 1) else { return false }
    } while tokens.skip(UInt8(ascii: ","))
    return tokens.skip(end)
  }
}
