/// A parser of the blocks and tags of a template.
struct Parser {
  private var lexer: Lexer
  private let nesting: Int
  private var depth = 0
  var names = NameTable()

  init(_ source: [UInt8], nesting: Int) {
    lexer = Lexer(source)
    self.nesting = nesting
  }

  mutating func template() throws(SourceError) -> [Node] { try block(opener: nil, ends: []).nodes }

  /// A tag that ends a block or begins its next branch.
  private struct End {
    var word: String
    var tokens: Tokens
    var offset: Int
  }

  /// Parses nodes up to a tag with one of some names; without an opener, up to the end of the source.
  private mutating func block(
    opener: (word: String, offset: Int)?, ends: Set<String>
  ) throws(SourceError) -> (nodes: [Node], end: End?) {
    var nodes: [Node] = []
    while let piece = try lexer.next() {
      switch piece {
      case .text(let bytes): nodes.append(.text(bytes))
      case .output(let range):
        var tokens = try Tokens(lexer.source, range)
        nodes.append(.output(try expressions.filtered(&tokens)))
      case .tag(let word, let offset, let markup):
        if ends.contains(word) {
          return (nodes, End(word: word, tokens: try tokens(markup), offset: offset))
        }
        if let node = try tag(word, at: offset, markup) { nodes.append(node) }
      }
    }
    guard let opener else { return (nodes, nil) }
    throw SourceError(.syntax, "'\(opener.word)' has no 'end\(opener.word)'", at: opener.offset)
  }

  private func tokens(_ markup: Range<Int>) throws(SourceError) -> Tokens {
    try Tokens(lexer.source, markup)
  }

  private var expressions: ExpressionParser {
    get { ExpressionParser(names: names, nesting: nesting) }
    set { names = newValue.names }
  }

  private mutating func tag(
    _ word: String, at offset: Int, _ markup: Range<Int>
  ) throws(SourceError) -> Node? {
    let opener = (word: word, offset: offset)
    switch word {
    case "#": return nil
    case "comment":
      try skipComment(opener)
      return nil
    case "raw":
      guard let text = try lexer.verbatim(until: "endraw") else {
        throw SourceError(.syntax, "'raw' has no 'endraw'", at: offset)
      }
      return .text(text)
    default: break
    }
    var tokens = try tokens(markup)
    switch word {
    case "if", "unless":
      return try nested(opener) { parser throws(SourceError) in
        try parser.branches(&tokens, opener)
      }
    case "case":
      return try nested(opener) { parser throws(SourceError) in
        try parser.choice(&tokens, opener)
      }
    case "for":
      return try nested(opener) { parser throws(SourceError) in
        try parser.loop(&tokens, opener)
      }
    case "capture":
      return try nested(opener) { parser throws(SourceError) in
        let slot = try parser.target(&tokens)
        try tokens.expectEnd()
        return .capture(slot: slot, try parser.block(opener: opener, ends: ["endcapture"]).nodes)
      }
    case "assign":
      let slot = try target(&tokens)
      try tokens.expect("=")
      return .assign(slot: slot, try expressions.filtered(&tokens))
    case "echo": return .output(try expressions.filtered(&tokens))
    case "increment", "decrement":
      let slot = names.slot(of: try tokens.name("a name"))
      try tokens.expectEnd()
      return .count(.init(slot: slot, isIncrement: word == "increment"))
    case "cycle": return try cycle(&tokens)
    case "break", "continue":
      try tokens.expectEnd()
      return word == "break" ? .breakLoop : .continueLoop
    default: throw unknown(word, at: offset)
    }
  }

  private func unknown(_ word: String, at offset: Int) -> SourceError {
    if word.hasPrefix("end") || ["else", "elsif", "when"].contains(word) {
      return SourceError(
        .syntax, "\(SourceError.quote(word)) does not belong to any block", at: offset)
    }
    return SourceError(
      .unknownTag, word.isEmpty ? "the tag has no name" : "unknown tag \(SourceError.quote(word))",
      at: offset)
  }

  private mutating func nested(
    _ opener: (word: String, offset: Int), _ parse: (inout Parser) throws(SourceError) -> Node
  ) throws(SourceError) -> Node {
    guard depth < nesting else {
      throw SourceError(.limit, "blocks are nested more than \(nesting) deep", at: opener.offset)
    }
    depth += 1
    let node = try parse(&self)
    depth -= 1
    return node
  }

  /// Parses the name of the variable that a tag assigns, and returns its slot.
  private mutating func target(_ tokens: inout Tokens) throws(SourceError) -> Int {
    names.isWritten = true
    return names.slot(of: try tokens.name("a name"))
  }

  private mutating func skipComment(_ opener: (word: String, offset: Int)) throws(SourceError) {
    var open = 1
    while open > 0 {
      guard let piece = try lexer.next() else {
        throw SourceError(.syntax, "'comment' has no 'endcomment'", at: opener.offset)
      }
      switch piece {
      case .tag("comment", _, _): open += 1
      case .tag("endcomment", _, _): open -= 1
      case .tag("raw", _, _): _ = try lexer.verbatim(until: "endraw")
      default: break
      }
    }
  }

  private mutating func branches(
    _ tokens: inout Tokens, _ opener: (word: String, offset: Int)
  ) throws(SourceError) -> Node {
    var branches: [Node.Branch] = []
    var condition: Condition? = try expressions.condition(&tokens)
    while true {
      let isLast = condition == nil
      let ends: Set = isLast ? ["end" + opener.word] : ["elsif", "else", "end" + opener.word]
      let (nodes, end) = try block(opener: opener, ends: ends)
      branches.append(
        .init(
          condition: condition, isNegated: branches.isEmpty && opener.word == "unless",
          body: nodes.withoutBlankText))
      guard var end, end.word == "else" || end.word == "elsif" else { return .branches(branches) }
      condition = end.word == "elsif" ? try expressions.condition(&end.tokens) : nil
      try end.tokens.expectEnd()
    }
  }

  private mutating func choice(
    _ tokens: inout Tokens, _ opener: (word: String, offset: Int)
  ) throws(SourceError) -> Node {
    let subject = try expressions.filtered(&tokens)
    // Nodes before the first `when` are never rendered.
    var end = try block(opener: opener, ends: ["when", "else", "endcase"]).end
    var choices: [Node.Choice] = []
    while var division = end, division.word != "endcase" {
      var values: [Expression]?
      if division.word == "when" { values = try expressions.alternatives(&division.tokens) }
      try division.tokens.expectEnd()
      let (nodes, next) = try block(opener: opener, ends: ["when", "else", "endcase"])
      choices.append(.init(values: values, body: nodes.withoutBlankText))
      end = next
    }
    return .choice(subject, choices)
  }

  private mutating func loop(
    _ tokens: inout Tokens, _ opener: (word: String, offset: Int)
  ) throws(SourceError) -> Node {
    let variable: String
    if case .name(let name) = tokens.next { variable = name } else { variable = "" }
    let slot = try target(&tokens)
    guard try tokens.skip(word: "in") else { throw tokens.unexpected("'in'") }
    let start = tokens.offset
    let collection = try expressions.expression(&tokens)
    let text = lexer.source[start..<tokens.offset].filter { !$0.isSpace }
    var loop = Node.Loop(
      slot: slot, forloop: names.slot(of: "forloop"), collection: collection,
      name: "\(variable)-\(String(decoding: text, as: UTF8.self))", body: [], elseBody: [],
      position: opener.offset)
    while tokens.next != nil {
      _ = try tokens.skip(",")
      let offset = tokens.offset
      switch try tokens.name("'reversed', 'limit' or 'offset'") {
      case "reversed": loop.isReversed = true
      case "limit":
        try tokens.expect(":")
        loop.limit = try expressions.expression(&tokens)
      case "offset":
        try tokens.expect(":")
        let isResumed = try tokens.skip(word: "continue")
        loop.offset = isResumed ? .continued : .at(try expressions.expression(&tokens))
      case let word:
        throw SourceError(
          .syntax, "expected 'reversed', 'limit' or 'offset', found \(SourceError.quote(word))",
          at: offset)
      }
    }
    let (body, end) = try block(opener: opener, ends: ["else", "endfor"])
    loop.body = body.withoutBlankText
    if let end, end.word == "else" {
      try end.tokens.expectEnd()
      loop.elseBody = try block(opener: opener, ends: ["endfor"]).nodes.withoutBlankText
    }
    return .loop(loop)
  }

  private mutating func cycle(_ tokens: inout Tokens) throws(SourceError) -> Node {
    let offset = tokens.offset
    var first = try expressions.expression(&tokens)
    var group: FilteredExpression?
    if try tokens.skip(":") {
      group = FilteredExpression(base: first, offset: offset)
      first = try expressions.expression(&tokens)
    }
    var values = [first]
    while try tokens.skip(",") { values.append(try expressions.expression(&tokens)) }
    try tokens.expectEnd()
    return .cycle(group: group, key: "\(values)", values)
  }
}

/// The names in a template, each with the number of its slot.
struct NameTable {
  private var slots: [String: Int] = [:]
  /// Whether a tag of the template assigns a variable.
  var isWritten = false
  var count: Int { slots.count }

  mutating func slot(of name: String) -> Int {
    if let slot = slots[name] { return slot }
    slots[name] = slots.count
    return slots.count - 1
  }
}
