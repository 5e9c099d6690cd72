package import PushPayload

/// A reader of the JSON objects of a token, in which no name may repeat: two readers could take different ones.
package enum ClaimsReader {
  /// The most levels of arrays and objects.
  package static let maximumDepth = 8

  /// Reads one object; `nil` where the bytes are anything else, nest too deep, or have a name twice.
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
