extension LiquidValue {
  /// The value as a number: a string counts as the number at its start, and any other value is 0.
  var arithmetic: LiquidValue {
    switch self {
    case .integer, .number: self
    case .string(let text): Self.number(in: text)
    default: .integer(0)
    }
  }

  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The value as an end of a range or a number of digits; `nil` if it does not fit in an `Int`.
  var index: Int? {
    switch arithmetic {
    case .integer(let value): Int(exactly: value)
    case .number(let value): Int(exactly: value.rounded(.towardZero))
    default: nil
    }
  }

  /// The value as an index, a length or a limit, which must be a whole number.
  ///
  /// `use` describes it in the error.
  func wholeNumber(_ use: String) throws(RenderingError) -> Int {
    switch self {
    case .integer(let value): return Int(value)
    case .string(let text) where text.utf8.count <= Self.longestNumber:
      let trimmed = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
      if let value = Int(trimmed) { return value }
    default: break
    }
    throw RenderingError(.value, "\(use) must be a whole number")
  }

  /// The maximum number of bytes of a string that are read as a number; the largest double has 309 digits.
  private static let longestNumber = 400

  /// Reads `12` or `1.5`, with white space around it, or else the whole number at the start of a text.
  private static func number(in text: String) -> LiquidValue {
    let trimmed = Array(text.utf8.prefix(longestNumber)).trimmingSpace
    if let decimal = decimal(trimmed) { return decimal }
    let sign = trimmed.first == UInt8(ascii: "-") || trimmed.first == UInt8(ascii: "+") ? 1 : 0
    let digits = trimmed.dropFirst(sign).prefix(while: \.isDigit)
    let number = String(decoding: trimmed.prefix(sign) + digits, as: UTF8.self)
    if let value = Int64(number) { return .integer(value) }
    guard let value = Double(number), value.isFinite else { return .integer(0) }
    return .number(value)
  }

  private static func decimal(_ bytes: ArraySlice<UInt8>) -> LiquidValue? {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
      let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite
    else { return nil }
    return .number(number)
  }
}

extension [UInt8] {
  fileprivate var trimmingSpace: ArraySlice<UInt8> {
    let start = drop(while: \.isSpace)
    return start.lastIndex { !$0.isSpace }.map { start[...$0] } ?? []
  }
}
