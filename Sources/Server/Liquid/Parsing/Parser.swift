/// A parser of the blocks and tags of a template.
struct Parser {
  private(set) var lexer: Lexer
  private let nesting: Int
  private var depth = 0
  var names = NameTable()

  init(_ source: [UInt8], nesting: Int) {
    lexer = Lexer(source)
    self.nesting = nesting
  }

  mutating func template() throws(SourceError) -> [Node] { try block(opener: nil, ends: []).nodes }

  /// A tag that ends a block or begins its next branch.
  struct End {
    var word: String
    var tokens: Tokens
    var offset: Int
  }

  /// Parses nodes up to a tag that `ends` names or, without an opener, up to the end of the source.
  mutating func block(
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
        if word == "liquid" {
          nodes += try lines(of: markup, (word, offset))
          continue
        }
        if let node = try tag(word, at: offset, markup) { nodes.append(node) }
      }
    }
    guard let opener else { return (nodes, nil) }
    throw unclosed(opener.word, at: opener.offset)
  }

  private func tokens(_ markup: Range<Int>) throws(SourceError) -> Tokens {
    try Tokens(lexer.source, markup)
  }

  var expressions: ExpressionParser {
    get { ExpressionParser(names: names, nesting: nesting) }
    // The table is moved, since a copy for each new name would cost as much as all names before it.
    _modify {
      var parser = ExpressionParser(names: names, nesting: nesting)
      names = NameTable()
      defer { names = parser.names }
      yield &parser
    }
  }

  private mutating func tag(
    _ word: String, at offset: Int, _ markup: Range<Int>
  ) throws(SourceError) -> Node? {
    let opener = (word: word, offset: offset)
    switch word {
    case "#":
      try checkComment(markup)
      return nil
    case "comment":
      try skipComment(opener)
      return nil
    case "raw", "doc":
      try tokens(markup).expectEnd()
      guard let text = lexer.verbatim(until: "end" + word) else {
        throw unclosed(word, at: offset)
      }
      return word == "raw" ? .verbatim(text) : nil
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
    case "for", "tablerow":
      return try nested(opener) { parser throws(SourceError) in
        try parser.loop(&tokens, opener)
      }
    case "ifchanged":
      return try nested(opener) { parser throws(SourceError) in
        try tokens.expectEnd()
        return .changed(try parser.block(opener: opener, ends: ["endifchanged"]).nodes)
      }
    case "capture":
      return try nested(opener) { parser throws(SourceError) in
        let slot = try parser.target(&tokens)
        try tokens.expectEnd()
        return .capture(slot: slot, try parser.block(opener: opener, ends: ["endcapture"]).nodes)
      }
    case "assign":
      let start = tokens.offset
      if case .name(let name) = tokens.next, name.last == "?" {
        throw SourceError(
          .syntax, "the variable \(SourceError.quote(name)) must not end in '?'", at: start)
      }
      let slot = try target(&tokens)
      try tokens.expect("=")
      return .assign(slot: slot, try expressions.filtered(&tokens))
    case "echo": return .output(try expressions.filtered(&tokens))
    case "increment", "decrement":
      let slot = names.slot(of: try tokens.name("a name"))
      try tokens.expectEnd()
      return .count(.init(slot: slot, isIncrement: word == "increment"))
    case "cycle": return try cycle(&tokens, at: offset)
    case "break", "continue":
      try tokens.expectEnd()
      return word == "break" ? .breakLoop : .continueLoop
    default: throw unknown(word, at: offset)
    }
  }

  private func unclosed(_ word: String, at offset: Int) -> SourceError {
    SourceError(.syntax, "'\(word)' has no 'end\(word)'", at: offset)
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
    guard depth < nesting else { throw tooDeep(opener) }
    depth += 1
    let node = try parse(&self)
    depth -= 1
    return node
  }

  /// Parses the name of the variable that a tag assigns, and returns its slot.
  mutating func target(_ tokens: inout Tokens) throws(SourceError) -> Int {
    names.isWritten = true
    return names.slot(of: try tokens.name("a name"))
  }

  /// Checks that each line of an inline comment begins with `#`.
  private func checkComment(_ markup: Range<Int>) throws(SourceError) {
    for line in lexer.source[markup].split(separator: UInt8(ascii: "\n")) {
      guard let start = line.firstIndex(where: { !$0.isSpace }) else { continue }
      guard line[start] == UInt8(ascii: "#") else {
        throw SourceError(.syntax, "each line of an inline comment must begin with '#'", at: start)
      }
    }
  }

  /// Parses the lines of a `liquid` tag, each of which is a tag.
  private mutating func lines(
    of markup: Range<Int>, _ opener: (word: String, offset: Int)
  ) throws(SourceError) -> [Node] {
    guard depth < nesting else { throw tooDeep(opener) }
    depth += 1
    defer { depth -= 1 }
    let outer = lexer
    defer { lexer = outer }
    lexer = Lexer(lexer.source, lines: markup)
    return try block(opener: nil, ends: []).nodes
  }

  private func tooDeep(_ opener: (word: String, offset: Int)) -> SourceError {
    SourceError(.limit, "blocks are nested more than \(nesting) deep", at: opener.offset)
  }

  private mutating func skipComment(_ opener: (word: String, offset: Int)) throws(SourceError) {
    var open = 1
    while open > 0 {
      guard let piece = try lexer.nextTag() else {
        throw unclosed("comment", at: opener.offset)
      }
      switch piece {
      case .tag("comment", _, _): open += 1
      case .tag("endcomment", _, _): open -= 1
      case .tag("raw", let offset, _):
        guard lexer.verbatim(until: "endraw") != nil else { throw unclosed("raw", at: offset) }
      default: break
      }
    }
  }
}
