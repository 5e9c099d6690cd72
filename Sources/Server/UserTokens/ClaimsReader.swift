package import PushPayload

/// A reader of the JSON objects in a token.
///
/// It refuses a repeated name, because two readers could choose different values.
package enum ClaimsReader {
  /// The most levels of arrays and objects.
  package static let maximumDepth = 8

  /// Reads one object; `nil` if the bytes are not an object, nest too deep, or repeat a name.
  package static func members(of bytes: [UInt8]) -> [String: JSONValue]? {
    guard let value = try? JSONValue(parsing: bytes, refusingRepeatedKeys: true),
      nests(value, within: maximumDepth)
    else { return nil }
    return value.object
  }

  private static func nests(_ value: JSONValue, within levels: Int) -> Bool {
    guard let inner = value.array ?? value.object.map({ Array($0.values) }) else { return true }
    return levels > 0 && inner.allSatisfy { nests($0, within: levels - 1) }
  }
}
