import PushPayload

extension JSONValue {
  /// A string, or `null` if the text is `nil`.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
