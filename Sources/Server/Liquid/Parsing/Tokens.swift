/// A reader of the tokens of one output or tag.
struct Tokens {
  enum Token: Equatable {
    case name(String)
    case string(String)
    case integer(Int64)
    case number(Double)
    case symbol(String)
  }

  private let source: [UInt8]
  private var index: Int
  private let end: Int
  /// The next token; `nil` at the end of the markup.
  private(set) var next: Token?
  /// The offset of the next token in the source.
  private(set) var offset: Int

  init(_ source: [UInt8], _ range: Range<Int>) throws(SourceError) {
    self.source = source
    index = range.lowerBound
    end = range.upperBound
    offset = index
    next = try scan()
  }

  /// Moves on to the token after ``next``.
  mutating func advance() throws(SourceError) { next = try scan() }

  /// Skips a symbol; `false` if a different token comes next.
  mutating func skip(_ symbol: String) throws(SourceError) -> Bool {
    guard next == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  /// Skips a word; `false` if a different token comes next.
  mutating func skip(word: String) throws(SourceError) -> Bool {
    guard next == .name(word) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: String) throws(SourceError) {
    guard try skip(symbol) else { throw unexpected("'\(symbol)'") }
  }

  /// Reads a name; `expected` describes it in the error.
  mutating func name(_ expected: String) throws(SourceError) -> String {
    guard case .name(let name) = next else { throw unexpected(expected) }
    try advance()
    return name
  }

  func expectEnd() throws(SourceError) {
    guard next == nil else { throw unexpected("the end") }
  }

  func unexpected(_ expected: String) -> SourceError {
    let found =
      switch next {
      case .name(let name): SourceError.quote(name)
      case .string: "a string"
      case .integer, .number: "a number"
      case .symbol(let symbol): "'\(symbol)'"
      case nil: "the end"
      }
    return SourceError(.syntax, "expected \(expected), found \(found)", at: offset)
  }

  private func byte(_ index: Int) -> UInt8? { index < end ? source[index] : nil }

  private mutating func scan() throws(SourceError) -> Token? {
    while let byte = byte(index), byte.isSpace { index += 1 }
    offset = index
    guard let first = byte(index) else { return nil }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(closedBy: first)
    case _ where first.isDigit: return number()
    case UInt8(ascii: "-") where byte(index + 1)?.isDigit == true: return number()
    case _ where first.isWord: return word()
    default: return try symbol()
    }
  }

  private mutating func string(closedBy quote: UInt8) throws(SourceError) -> Token {
    let start = index + 1
    guard let close = (start..<max(start, end)).first(where: { source[$0] == quote }) else {
      throw .unclosedString(in: source[start..<max(start, end)], at: index)
    }
    index = close + 1
    return .string(String(decoding: source[start..<close], as: UTF8.self))
  }

  private mutating func number() -> Token {
    let start = index
    index += 1
    while byte(index)?.isDigit == true { index += 1 }
    if byte(index) == UInt8(ascii: "."), byte(index + 1)?.isDigit == true {
      index += 1
      while byte(index)?.isDigit == true { index += 1 }
    }
    let text = String(decoding: source[start..<index], as: UTF8.self)
    return Int64(text).map(Token.integer) ?? .number(Double(text) ?? 0)
  }

  private mutating func word() -> Token {
    let start = index
    while let byte = byte(index), byte.isWord || byte == UInt8(ascii: "-") { index += 1 }
    if byte(index) == UInt8(ascii: "?") { index += 1 }
    return .name(String(decoding: source[start..<index], as: UTF8.self))
  }

  private mutating func symbol() throws(SourceError) -> Token {
    for length in [2, 1] where index + length <= end {
      let text = String(decoding: source[index..<index + length], as: UTF8.self)
      if Self.symbols.contains(text) {
        index += length
        return .symbol(text)
      }
    }
    throw .unexpectedCharacter(in: source, at: index)
  }

  private static let symbols: Set<String> = [
    "==", "!=", "<>", "<=", ">=", "<", ">", "=", "..", ".", "[", "]", "(", ")", "|", ":", ",",
  ]
}
