/// Reads a template's blocks and tags.
struct Parser {
  private var lexer: Lexer
  private let nesting: Int
  private var depth = 0
  var names = Names()

  init(_ source: [UInt8], nesting: Int) {
    lexer = Lexer(source)
    self.nesting = nesting
  }

  mutating func template() throws(Flaw) -> [Node] { try block(opener: nil, ends: []).nodes }

  /// A tag within a block that ends or divides it.
  private struct End {
    var word: String
    var tokens: Tokens
    var offset: Int
  }

  /// The parts up to one of the words; without an opener, up to the end of the source.
  private mutating func block(
    opener: (word: String, offset: Int)?, ends: Set<String>
  ) throws(Flaw) -> (nodes: [Node], end: End?) {
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
    throw Flaw(.syntax, "'\(opener.word)' has no 'end\(opener.word)'", at: opener.offset)
  }

  private func tokens(_ markup: Range<Int>) throws(Flaw) -> Tokens {
    try Tokens(lexer.source, markup)
  }

  private var expressions: ExpressionParser {
    get { ExpressionParser(names: names, nesting: nesting) }
    set { names = newValue.names }
  }

  private mutating func tag(
    _ word: String, at offset: Int, _ markup: Range<Int>
  ) throws(Flaw) -> Node? {
    let opener = (word: word, offset: offset)
    switch word {
    case "#": return nil
    case "comment":
      try skipComment(opener)
      return nil
    case "raw":
      guard let text = try lexer.verbatim(until: "endraw") else {
        throw Flaw(.syntax, "'raw' has no 'endraw'", at: offset)
      }
      return .text(text)
    default: break
    }
    var tokens = try tokens(markup)
    switch word {
    case "if", "unless":
      return try nested(opener) { parser throws(Flaw) in
        try parser.branches(&tokens, opener)
      }
    case "case":
      return try nested(opener) { parser throws(Flaw) in
        try parser.choice(&tokens, opener)
      }
    case "for":
      return try nested(opener) { parser throws(Flaw) in
        try parser.loop(&tokens, opener)
      }
    case "capture":
      return try nested(opener) { parser throws(Flaw) in
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
      return .count(.init(slot: slot, isUp: word == "increment"))
    case "cycle": return try cycle(&tokens)
    case "break", "continue":
      try tokens.expectEnd()
      return word == "break" ? .stop : .skip
    default: throw unknown(word, at: offset)
    }
  }

  private func unknown(_ word: String, at offset: Int) -> Flaw {
    if word.hasPrefix("end") || ["else", "elsif", "when"].contains(word) {
      return Flaw(.syntax, "\(Flaw.quote(word)) has no block to belong to", at: offset)
    }
    return Flaw(
      .unknownTag, word.isEmpty ? "the tag has no name" : "unknown tag \(Flaw.quote(word))",
      at: offset)
  }

  private mutating func nested(
    _ opener: (word: String, offset: Int), _ parse: (inout Parser) throws(Flaw) -> Node
  ) throws(Flaw) -> Node {
    guard depth < nesting else {
      throw Flaw(.limit, "blocks stand more than \(nesting) deep", at: opener.offset)
    }
    depth += 1
    let node = try parse(&self)
    depth -= 1
    return node
  }

  /// The name that a tag sets.
  private mutating func target(_ tokens: inout Tokens) throws(Flaw) -> Int {
    names.isWritten = true
    return names.slot(of: try tokens.name("a name"))
  }

  private mutating func skipComment(_ opener: (word: String, offset: Int)) throws(Flaw) {
    var open = 1
    while open > 0 {
      guard let piece = try lexer.next() else {
        throw Flaw(.syntax, "'comment' has no 'endcomment'", at: opener.offset)
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
  ) throws(Flaw) -> Node {
    var branches: [Node.Branch] = []
    var condition: Condition? = try expressions.condition(&tokens)
    while true {
      let isLast = condition == nil
      let ends: Set = isLast ? ["end" + opener.word] : ["elsif", "else", "end" + opener.word]
      let (nodes, end) = try block(opener: opener, ends: ends)
      branches.append(
        .init(
          condition: condition, isNegated: branches.isEmpty && opener.word == "unless",
          body: nodes.asBody))
      guard var end, end.word == "else" || end.word == "elsif" else { return .branches(branches) }
      condition = end.word == "elsif" ? try expressions.condition(&end.tokens) : nil
      try end.tokens.expectEnd()
    }
  }

  private mutating func choice(
    _ tokens: inout Tokens, _ opener: (word: String, offset: Int)
  ) throws(Flaw) -> Node {
    let subject = try expressions.filtered(&tokens)
    // What stands before the first `when` is never shown.
    var end = try block(opener: opener, ends: ["when", "else", "endcase"]).end
    var choices: [Node.Choice] = []
    while var division = end, division.word != "endcase" {
      var values: [Expression]?
      if division.word == "when" { values = try expressions.alternatives(&division.tokens) }
      try division.tokens.expectEnd()
      let (nodes, next) = try block(opener: opener, ends: ["when", "else", "endcase"])
      choices.append(.init(values: values, body: nodes.asBody))
      end = next
    }
    return .choice(subject, choices)
  }

  private mutating func loop(
    _ tokens: inout Tokens, _ opener: (word: String, offset: Int)
  ) throws(Flaw) -> Node {
    let variable: String
    if case .name(let name) = tokens.next { variable = name } else { variable = "" }
    let slot = try target(&tokens)
    guard try tokens.takes(word: "in") else { throw tokens.unexpected("'in'") }
    let start = tokens.offset
    let collection = try expressions.expression(&tokens)
    let text = lexer.source[start..<tokens.offset].filter { !$0.isSpace }
    var loop = Node.Loop(
      slot: slot, forloop: names.slot(of: "forloop"), collection: collection,
      name: "\(variable)-\(String(decoding: text, as: UTF8.self))", body: [], otherwise: [],
      place: opener.offset)
    while tokens.next != nil {
      _ = try tokens.takes(",")
      let offset = tokens.offset
      switch try tokens.name("'reversed', 'limit' or 'offset'") {
      case "reversed": loop.isReversed = true
      case "limit":
        try tokens.expect(":")
        loop.limit = try expressions.expression(&tokens)
      case "offset":
        try tokens.expect(":")
        let isResumed = try tokens.takes(word: "continue")
        loop.offset = isResumed ? .resumed : .at(try expressions.expression(&tokens))
      case let word:
        throw Flaw(
          .syntax, "\(Flaw.quote(word)) is none of 'reversed', 'limit' and 'offset'", at: offset)
      }
    }
    let (body, end) = try block(opener: opener, ends: ["else", "endfor"])
    loop.body = body.asBody
    if let end, end.word == "else" {
      try end.tokens.expectEnd()
      loop.otherwise = try block(opener: opener, ends: ["endfor"]).nodes.asBody
    }
    return .loop(loop)
  }

  private mutating func cycle(_ tokens: inout Tokens) throws(Flaw) -> Node {
    let offset = tokens.offset
    var first = try expressions.expression(&tokens)
    var group: Filtered?
    if try tokens.takes(":") {
      group = Filtered(base: first, offset: offset)
      first = try expressions.expression(&tokens)
    }
    var values = [first]
    while try tokens.takes(",") { values.append(try expressions.expression(&tokens)) }
    try tokens.expectEnd()
    return .cycle(group: group, key: "\(values)", values)
  }
}

/// The names a template speaks of, each with a number.
struct Names {
  private var slots: [String: Int] = [:]
  /// Whether some tag sets one.
  var isWritten = false
  var count: Int { slots.count }

  mutating func slot(of name: String) -> Int {
    if let slot = slots[name] { return slot }
    slots[name] = slots.count
    return slots.count - 1
  }
}
