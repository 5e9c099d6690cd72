import PushPayload

extension JSONValue {
  /// A string, or `null` for `nil`.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
