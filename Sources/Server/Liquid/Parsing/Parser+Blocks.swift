/// The tags that have branches, loops or groups.
extension Parser {
  mutating func branches(
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
          body: nodes))
      guard var end, end.word == "else" || end.word == "elsif" else { break }
      condition = end.word == "elsif" ? try expressions.condition(&end.tokens) : nil
      try end.tokens.expectEnd()
    }
    guard Node.branches(branches).isBlank else { return .branches(branches) }
    for index in branches.indices { branches[index].body = branches[index].body.withoutText }
    return .branches(branches)
  }

  mutating func choice(
    _ tokens: inout Tokens, _ opener: (word: String, offset: Int)
  ) throws(SourceError) -> Node {
    let subject = try expressions.filtered(&tokens)
    // Nodes before the first `when` are never rendered.
    let (before, first) = try block(opener: opener, ends: ["when", "else", "endcase"])
    var end = first
    var choices: [Node.Choice] = []
    while var division = end, division.word != "endcase" {
      var values: [Expression]?
      if division.word == "when" { values = try expressions.alternatives(&division.tokens) }
      try division.tokens.expectEnd()
      let (nodes, next) = try block(opener: opener, ends: ["when", "else", "endcase"])
      choices.append(.init(values: values, body: nodes))
      end = next
    }
    guard before.allSatisfy(\.isBlank), Node.choice(subject, choices).isBlank else {
      return .choice(subject, choices)
    }
    for index in choices.indices { choices[index].body = choices[index].body.withoutText }
    return .choice(subject, choices)
  }

  mutating func loop(
    _ tokens: inout Tokens, _ opener: (word: String, offset: Int)
  ) throws(SourceError) -> Node {
    let variable: String
    if case .name(let name) = tokens.next { variable = name } else { variable = "" }
    let slot = try target(&tokens)
    guard try tokens.skip(word: "in") else { throw tokens.unexpected("'in'") }
    let start = tokens.offset
    let collection = try expressions.expression(&tokens)
    let text = lexer.source[start..<tokens.offset].filter { !$0.isSpace }
    let isTable = opener.word == "tablerow"
    var loop = Node.Loop(
      slot: slot, forloop: names.slot(of: isTable ? "tablerowloop" : "forloop"),
      collection: collection,
      name: "\(variable)-\(String(decoding: text, as: UTF8.self))", body: [], elseBody: [],
      position: opener.offset)
    while tokens.next != nil {
      if try tokens.skip(","), tokens.next == nil { break }
      try attribute(of: &loop, isTable: isTable, &tokens)
    }
    if isTable {
      loop.body = try block(opener: opener, ends: ["endtablerow"]).nodes
      return .table(loop)
    }
    let (body, end) = try block(opener: opener, ends: ["else", "endfor"])
    loop.body = body
    if let end, end.word == "else" {
      try end.tokens.expectEnd()
      loop.elseBody = try block(opener: opener, ends: ["endfor"]).nodes
    }
    guard Node.loop(loop).isBlank else { return .loop(loop) }
    loop.body = loop.body.withoutText
    loop.elseBody = loop.elseBody.withoutText
    return .loop(loop)
  }

  private mutating func attribute(
    of loop: inout Node.Loop, isTable: Bool, _ tokens: inout Tokens
  ) throws(SourceError) {
    let expected = isTable ? "'cols', 'limit' or 'offset'" : "'reversed', 'limit' or 'offset'"
    let offset = tokens.offset
    switch (try tokens.name(expected), isTable) {
    case ("reversed", false): loop.isReversed = true
    case ("cols", true):
      try tokens.expect(":")
      loop.columns = try expressions.expression(&tokens)
    case ("limit", _):
      try tokens.expect(":")
      loop.limit = try expressions.expression(&tokens)
    case ("offset", _):
      try tokens.expect(":")
      if !isTable, try tokens.skip(word: "continue") {
        loop.offset = .continued
      } else {
        loop.offset = .at(try expressions.expression(&tokens))
      }
    case (let word, _):
      throw SourceError(
        .syntax, "expected \(expected), found \(SourceError.quote(word))", at: offset)
    }
  }

  mutating func cycle(
    _ tokens: inout Tokens, at position: Int
  ) throws(SourceError) -> Node {
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
    // Tags with the same literals take turns with each other; a tag with a variable, only with itself.
    let isConstant = values.allSatisfy { if case .literal = $0 { true } else { false } }
    return .cycle(group: group, key: isConstant ? "\(values)" : "tag \(position)", values)
  }
}
