extension Renderer {
  /// The part of a collection over which a loop runs: `length` elements from `first` on.
  private struct Part {
    var collection: LiquidValue
    var first: Int
    var length: Int
  }

  mutating func run(
    _ loop: Node.Loop, into output: inout [UInt8]
  ) throws(RenderingError) -> Signal {
    let part = try part(of: loop)
    guard part.length > 0 else { return try render(loop.elseBody, into: &output) }

    let outer = (locals[loop.slot], locals[loop.forloop])
    defer { (locals[loop.slot], locals[loop.forloop]) = outer }
    var state = ForLoop(name: loop.name, length: part.length, parent: outer.1 ?? .null)
    for round in 0..<part.length {
      try budget.spend()
      state.index = round
      let index = loop.isReversed ? part.length - 1 - round : round
      locals[loop.slot] = part.collection.element(at: part.first + index)
      locals[loop.forloop] = .object(state)
      if try render(loop.body, into: &output) == .breakLoop { break }
    }
    return .next
  }

  /// Writes the rows of a `tablerow`.
  mutating func write(_ table: Node.Loop, into output: inout [UInt8]) throws(RenderingError) {
    let part = try part(of: table)
    guard part.collection.isTrue else { return }
    var columns = part.length
    if let expression = table.columns { columns = try value(expression).index ?? 0 }

    let outer = (locals[table.slot], locals[table.forloop])
    defer { (locals[table.slot], locals[table.forloop]) = outer }
    var state = TableLoop(
      loop: ForLoop(name: "", length: part.length, parent: .null), columns: columns)
    output += "<tr class=\"row1\">\n".utf8
    for round in 0..<part.length {
      try budget.spend()
      state.loop.index = round
      locals[table.slot] = part.collection.element(at: part.first + round)
      locals[table.forloop] = .object(state)
      output += "<td class=\"col\(state.column)\">".utf8
      let signal = try render(table.body, into: &output)
      output += "</td>".utf8
      if signal == .breakLoop { break }
      if state.isLastColumn, round < part.length - 1 {
        output += "</tr>\n<tr class=\"row\(state.row + 1)\">".utf8
      }
      try budget.check(size: output.count - start)
      state.advance()
    }
    output += "</tr>\n".utf8
  }

  private mutating func part(of loop: Node.Loop) throws(RenderingError) -> Part {
    offset = loop.position
    var collection = try value(loop.collection)
    if case .object(let object) = collection, let names = object.names {
      try budget.spend(names.count)
      collection = .array(names.map(object.pair))
    }
    let count = collection.elementCount
    var first = 0
    switch loop.offset {
    case .at(let expression): first = try max(0, number(expression, "'offset'") ?? 0)
    case .continued: first = continuedOffsets[loop.name] ?? 0
    case nil: break
    }
    var most = count
    if let limit = loop.limit, let number = try number(limit, "'limit'") { most = max(0, number) }
    // A string is one element, which `limit` and `offset` do not cut.
    if case .string = collection { (first, most) = (0, count) }
    first = min(first, count)
    let length = min(count - first, most)
    continuedOffsets[loop.name] = first + length
    return Part(collection: collection, first: first, length: length)
  }

  /// The value of `limit` or `offset`; `nil` if it is `nil` in the template.
  private mutating func number(
    _ expression: Expression, _ name: String
  ) throws(RenderingError) -> Int? {
    let value = try value(expression)
    if case .null = value { return nil }
    return try value.wholeNumber(name)
  }
}

/// The `forloop` object in the body of a loop.
private struct ForLoop: LiquidObject {
  let name: String
  let length: Int
  let parent: LiquidValue
  var index = 0

  func member(_ name: String) -> LiquidValue {
    switch name {
    case "index": .integer(Int64(index + 1))
    case "index0": .integer(Int64(index))
    case "rindex": .integer(Int64(length - index))
    case "rindex0": .integer(Int64(length - index - 1))
    case "first": .bool(index == 0)
    case "last": .bool(index == length - 1)
    case "length": .integer(Int64(length))
    case "name": .string(self.name)
    case "parentloop": parent
    default: .null
    }
  }
}

/// The `tablerowloop` object in a cell of a table.
private struct TableLoop: LiquidObject {
  var loop: ForLoop
  let columns: Int
  private(set) var row = 1
  private(set) var column = 1

  init(loop: ForLoop, columns: Int) {
    self.loop = loop
    self.columns = columns
  }

  var isLastColumn: Bool { column == columns }

  mutating func advance() {
    if isLastColumn {
      row += 1
      column = 1
    } else {
      column += 1
    }
  }

  func member(_ name: String) -> LiquidValue {
    switch name {
    case "row": .integer(Int64(row))
    case "col": .integer(Int64(column))
    case "col0": .integer(Int64(column - 1))
    case "col_first": .bool(column == 1)
    case "col_last": .bool(isLastColumn)
    case "name", "parentloop": .null
    default: loop.member(name)
    }
  }
}
