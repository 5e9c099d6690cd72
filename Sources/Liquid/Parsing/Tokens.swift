/// The words and signs of one output or tag.
struct Tokens {
  enum Token: Equatable {
    case name(String)
    case string(String)
    case integer(Int64)
    case number(Double)
    case sign(String)
  }

  private let source: [UInt8]
  private var index: Int
  private let end: Int
  /// The token to come, and where it begins.
  private(set) var next: Token?
  private(set) var offset: Int

  init(_ source: [UInt8], _ range: Range<Int>) throws(Flaw) {
    self.source = source
    index = range.lowerBound
    end = range.upperBound
    offset = index
    next = try scan()
  }

  @discardableResult
  mutating func take() throws(Flaw) -> Token? {
    let token = next
    next = try scan()
    return token
  }

  /// Takes the sign if it comes next.
  mutating func takes(_ sign: String) throws(Flaw) -> Bool {
    guard next == .sign(sign) else { return false }
    try take()
    return true
  }

  /// Takes the word if it comes next.
  mutating func takes(word: String) throws(Flaw) -> Bool {
    guard next == .name(word) else { return false }
    try take()
    return true
  }

  mutating func expect(_ sign: String) throws(Flaw) {
    guard try takes(sign) else { throw unexpected("'\(sign)'") }
  }

  mutating func name(_ what: String) throws(Flaw) -> String {
    guard case .name(let name) = next else { throw unexpected(what) }
    try take()
    return name
  }

  func expectEnd() throws(Flaw) {
    guard next == nil else { throw unexpected("the end") }
  }

  func unexpected(_ expected: String) -> Flaw {
    let found =
      switch next {
      case .name(let name): Flaw.quote(name)
      case .string: "a text"
      case .integer, .number: "a number"
      case .sign(let sign): "'\(sign)'"
      case nil: "the end"
      }
    return Flaw(.syntax, "expected \(expected), found \(found)", at: offset)
  }

  private func byte(_ place: Int) -> UInt8? { place < end ? source[place] : nil }

  private mutating func scan() throws(Flaw) -> Token? {
    while let byte = byte(index), byte.isSpace { index += 1 }
    offset = index
    guard let first = byte(index) else { return nil }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(closedBy: first)
    case _ where first.isDigit: return number()
    case UInt8(ascii: "-") where byte(index + 1)?.isDigit == true: return number()
    case _ where first.isWord: return word()
    default: return try sign()
    }
  }

  private mutating func string(closedBy quote: UInt8) throws(Flaw) -> Token {
    let start = index + 1
    guard let close = (start..<max(start, end)).first(where: { source[$0] == quote }) else {
      throw Flaw(.syntax, "the text is not closed", at: index)
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

  private mutating func sign() throws(Flaw) -> Token {
    for length in [2, 1] where index + length <= end {
      let text = String(decoding: source[index..<index + length], as: UTF8.self)
      if Self.signs.contains(text) {
        index += length
        return .sign(text)
      }
    }
    throw Flaw(
      .syntax, "unexpected \(Flaw.quote(String(UnicodeScalar(source[index]))))", at: index)
  }

  private static let signs: Set<String> = [
    "==", "!=", "<>", "<=", ">=", "<", ">", "=", "..", ".", "[", "]", "(", ")", "|", ":", ",",
  ]
}
