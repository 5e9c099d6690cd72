import PushPayload

extension Double {
  /// Reads a decimal number; `nil` if a text is none, also if Swift reads it as one, such as `0x10`, `inf` and `nan`.
  init?(decimal text: some StringProtocol) {
    let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    self = number
  }
}

extension JSONValue {
  /// Reads a decimal number, a whole one exactly; `nil` if the text is none.
  static func decimal(_ text: String) -> JSONValue? {
    Int64(text).map(JSONValue.integer) ?? Double(decimal: text).map(JSONValue.number)
  }
}
