import PushPayload

extension JSONValue {
  /// Compact JSON as text.
  var line: String { String(decoding: serialized(), as: UTF8.self) }
}
