/// Reads values, filters and conditions.
struct ExpressionParser {
  var names: Names
  let nesting: Int
  private var depth = 0

  init(names: Names, nesting: Int) {
    self.names = names
    self.nesting = nesting
  }

  /// A value and its filters, up to the end.
  mutating func filtered(_ tokens: inout Tokens) throws(Flaw) -> Filtered {
    var filtered = Filtered(base: .literal(.null), offset: tokens.offset)
    filtered.base = try expression(&tokens)
    while try tokens.takes("|") { filtered.calls.append(try call(&tokens)) }
    try tokens.expectEnd()
    return filtered
  }

  private mutating func call(_ tokens: inout Tokens) throws(Flaw) -> Filtered.Call {
    let offset = tokens.offset
    let name = try tokens.name("a filter")
    guard var filter = Filter.named(name) else {
      throw Flaw(.unknownFilter, "unknown filter \(Flaw.quote(name))", at: offset)
    }
    var arguments: [Expression] = []
    if try tokens.takes(":") {
      repeat {
        let place = tokens.offset
        let argument = try expression(&tokens)
        if try tokens.takes(":") {
          guard name == "default", case .variable("allow_false", _, _) = argument else {
            throw Flaw(.arguments, "'\(name)' takes no named argument of this name", at: place)
          }
          let value = try expression(&tokens)
          if case .literal(let value) = value, value.isTrue { filter = .defaultAllowingFalse }
        } else {
          arguments.append(argument)
        }
      } while try tokens.takes(",")
    }
    guard filter.arity.contains(arguments.count) else {
      throw Flaw(
        .arguments, "'\(name)' takes \(filter.arityText), not \(arguments.count)", at: offset)
    }
    return Filtered.Call(filter: filter, arguments: arguments)
  }

  mutating func condition(_ tokens: inout Tokens) throws(Flaw) -> Condition {
    var condition = Condition(tests: [], offset: tokens.offset)
    while true {
      condition.tests.append(try test(&tokens))
      if try tokens.takes(word: "and") {
        condition.joints.append(.and)
      } else if try tokens.takes(word: "or") {
        condition.joints.append(.or)
      } else {
        try tokens.expectEnd()
        return condition
      }
    }
  }

  private mutating func test(_ tokens: inout Tokens) throws(Flaw) -> Condition.Test {
    let left = try expression(&tokens)
    let word: String
    switch tokens.next {
    case .sign(let sign): word = sign
    case .name(let name) where name == "contains": word = name
    default: return Condition.Test(left: left)
    }
    guard let comparison = Condition.Operator(rawValue: word) else {
      throw tokens.unexpected("a comparison")
    }
    try tokens.take()
    return Condition.Test(left: left, comparison: (comparison, try expression(&tokens)))
  }

  /// The values of a `when`.
  mutating func alternatives(_ tokens: inout Tokens) throws(Flaw) -> [Expression] {
    var values: [Expression] = []
    while true {
      values.append(try expression(&tokens))
      if try tokens.takes(",") { continue }
      guard try tokens.takes(word: "or") else { return values }
    }
  }

  mutating func expression(_ tokens: inout Tokens) throws(Flaw) -> Expression {
    guard depth < nesting else {
      throw Flaw(.limit, "brackets stand more than \(nesting) deep", at: tokens.offset)
    }
    depth += 1
    defer { depth -= 1 }
    switch tokens.next {
    case .string(let text):
      try tokens.take()
      return .literal(.string(text))
    case .integer(let value):
      try tokens.take()
      return .literal(.integer(value))
    case .number(let value):
      try tokens.take()
      return .literal(.number(value))
    case .name(let name):
      try tokens.take()
      if let value = Self.words[name] { return .literal(value) }
      return .variable(name: name, slot: names.slot(of: name), path: try path(&tokens))
    case .sign("("):
      try tokens.take()
      let low = try expression(&tokens)
      try tokens.expect("..")
      let high = try expression(&tokens)
      try tokens.expect(")")
      return .range(low, high)
    default: throw tokens.unexpected("a value")
    }
  }

  private mutating func path(_ tokens: inout Tokens) throws(Flaw) -> [Expression.Segment] {
    var path: [Expression.Segment] = []
    while true {
      if try tokens.takes(".") {
        path.append(.name(try tokens.name("a name")))
      } else if try tokens.takes("[") {
        let index = try expression(&tokens)
        try tokens.expect("]")
        // What is known now need not be asked for each device.
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
