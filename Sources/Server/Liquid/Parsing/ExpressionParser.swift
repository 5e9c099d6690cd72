import PushPayload

/// A parser of expressions, filters and conditions.
struct ExpressionParser {
  var names: NameTable
  let nesting: Int
  private var depth = 0

  init(names: NameTable, nesting: Int) {
    self.names = names
    self.nesting = nesting
  }

  /// Parses an expression and its filters up to the end of the markup.
  mutating func filtered(_ tokens: inout Tokens) throws(SourceError) -> FilteredExpression {
    var filtered = FilteredExpression(base: .literal(.null), offset: tokens.offset)
    filtered.base = try expression(&tokens)
    while try tokens.skip("|") { filtered.calls.append(try call(&tokens)) }
    try tokens.expectEnd()
    return filtered
  }

  private mutating func call(_ tokens: inout Tokens) throws(SourceError) -> FilteredExpression.Call
  {
    let offset = tokens.offset
    let name = try tokens.name("a filter")
    guard let filter = Filter.named(name) else {
      let hint = NearestName.find(name, among: Filter.names).map { ": did you mean '\($0)'?" } ?? ""
      throw SourceError(
        .unknownFilter, "unknown filter \(SourceError.quote(name))\(hint)", at: offset)
    }
    var arguments: [Expression] = []
    var allowsFalse: Expression?
    if try tokens.skip(":") {
      repeat {
        let start = tokens.offset
        let argument = try expression(&tokens)
        if try tokens.skip(":") {
          guard name == "default", case .variable("allow_false", _, _) = argument else {
            throw SourceError(
              .arguments, "'\(name)' does not take a named argument of this name", at: start)
          }
          allowsFalse = try expression(&tokens)
        } else {
          // `empty` and `blank` have a meaning only in comparisons.
          switch argument {
          case .literal(.empty), .literal(.blank): arguments.append(.literal(.string("")))
          default: arguments.append(argument)
          }
        }
      } while try tokens.skip(",")
    }
    guard filter.arity.contains(arguments.count) else {
      throw SourceError(
        .arguments, "'\(name)' takes \(filter.arityText), not \(arguments.count)", at: offset)
    }
    guard let allowsFalse else { return .init(filter: filter, arguments: arguments) }
    let fallback = arguments.first ?? .literal(.string(""))
    return .init(filter: .defaultAllowingFalse, arguments: [fallback, allowsFalse])
  }

  mutating func condition(_ tokens: inout Tokens) throws(SourceError) -> Condition {
    var condition = Condition(tests: [], offset: tokens.offset)
    while true {
      condition.tests.append(try test(&tokens))
      if try tokens.skip(word: "and") {
        condition.connectives.append(.and)
      } else if try tokens.skip(word: "or") {
        condition.connectives.append(.or)
      } else {
        try tokens.expectEnd()
        return condition
      }
    }
  }

  private mutating func test(_ tokens: inout Tokens) throws(SourceError) -> Condition.Test {
    let left = try expression(&tokens)
    let word: String
    switch tokens.next {
    case .symbol(let symbol): word = symbol
    case .name(let name) where name == "contains": word = name
    default: return Condition.Test(left: left)
    }
    guard let comparison = Condition.Operator(rawValue: word) else {
      throw tokens.unexpected("a comparison")
    }
    try tokens.advance()
    return Condition.Test(left: left, comparison: (comparison, try expression(&tokens)))
  }

  /// Parses the values of a `when`.
  mutating func alternatives(_ tokens: inout Tokens) throws(SourceError) -> [Expression] {
    var values: [Expression] = []
    while true {
      values.append(try expression(&tokens))
      if try tokens.skip(",") { continue }
      guard try tokens.skip(word: "or") else { return values }
    }
  }

  mutating func expression(_ tokens: inout Tokens) throws(SourceError) -> Expression {
    guard depth < nesting else {
      throw SourceError(.limit, "brackets are nested more than \(nesting) deep", at: tokens.offset)
    }
    depth += 1
    defer { depth -= 1 }
    switch tokens.next {
    case .string(let text):
      try tokens.advance()
      return .literal(.string(text))
    case .integer(let value):
      try tokens.advance()
      return .literal(.integer(value))
    case .number(let value):
      try tokens.advance()
      return .literal(.number(value))
    case .name(let name):
      try tokens.advance()
      if let value = Self.words[name] { return .literal(value) }
      return .variable(name: name, slot: names.slot(of: name), path: try path(&tokens))
    case .symbol("["):
      try tokens.advance()
      let name = try expression(&tokens)
      try tokens.expect("]")
      return .lookup(name, path: try path(&tokens))
    case .symbol("("):
      try tokens.advance()
      let low = try expression(&tokens)
      try tokens.expect("..")
      let high = try expression(&tokens)
      try tokens.expect(")")
      return .range(low, high)
    default: throw tokens.unexpected("a value")
    }
  }

  private mutating func path(_ tokens: inout Tokens) throws(SourceError) -> [Expression.Segment] {
    var path: [Expression.Segment] = []
    while true {
      if try tokens.skip(".") {
        path.append(.name(try tokens.name("a name")))
      } else if try tokens.skip("[") {
        let index = try expression(&tokens)
        try tokens.expect("]")
        // A literal name needs no evaluation while rendering.
        if case .literal(.string(let name)) = index {
          path.append(.name(name))
        } else {
          path.append(.index(index))
        }
      } else {
        return path
      }
    }
  }

  private static let words: [String: LiquidValue] = [
    "nil": .null, "null": .null, "true": .bool(true), "false": .bool(false), "empty": .empty,
    "blank": .blank,
  ]
}
