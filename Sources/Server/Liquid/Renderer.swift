/// A rendering of a template for one context.
struct Renderer<Context: LiquidObject> {
  /// The next action of the enclosing loop after a node.
  enum Signal { case next, breakLoop, continueLoop }

  let context: Context
  let names: NameTable
  var locals: [LiquidValue?]
  private(set) var counters: [Int: Int64] = [:]
  private var cycles: [String: Int] = [:]
  var continuedOffsets: [String: Int] = [:]
  /// The output of the last `ifchanged`.
  private var lastOutput: [UInt8]?
  var budget: Budget
  /// The length of the output before the rendering, which does not count toward the limit.
  let start: Int
  /// The offset in the source of the node that is rendered.
  var offset = 0

  init(context: Context, names: NameTable, budget: Budget, start: Int) {
    self.context = context
    self.names = names
    self.budget = budget
    self.start = start
    locals = names.isWritten ? Array(repeating: nil, count: names.count) : []
  }

  mutating func render(
    _ nodes: [Node], into output: inout [UInt8]
  ) throws(RenderingError) -> Signal {
    for node in nodes {
      let signal = try render(node, into: &output)
      try budget.check(size: output.count - start)
      if signal != .next { return signal }
    }
    return .next
  }

  private mutating func render(
    _ node: Node, into output: inout [UInt8]
  ) throws(RenderingError) -> Signal {
    try budget.spend()
    switch node {
    case .text(let bytes), .verbatim(let bytes): output += bytes
    case .output(let filtered): try value(filtered).write(to: &output, &budget)
    case .assign(let slot, let filtered): locals[slot] = try value(filtered)
    case .capture(let slot, let body):
      let (bytes, signal) = try collect(body, &output)
      locals[slot] = .string(String(decoding: bytes, as: UTF8.self))
      return signal
    case .changed(let body):
      let (bytes, signal) = try collect(body, &output)
      if bytes != lastOutput {
        lastOutput = bytes
        output += bytes
      }
      return signal
    case .branches(let branches):
      for branch in branches {
        guard let condition = branch.condition else {
          return try render(branch.body, into: &output)
        }
        if try holds(condition) != branch.isNegated {
          return try render(branch.body, into: &output)
        }
      }
    case .choice(let subject, let choices): return try choose(subject, choices, into: &output)
    case .loop(let loop): return try run(loop, into: &output)
    case .table(let loop): try write(loop, into: &output)
    case .count(let counter):
      var count = counters[counter.slot, default: 0]
      if !counter.isIncrement { count &-= 1 }
      output += String(count).utf8
      counters[counter.slot] = counter.isIncrement ? count &+ 1 : count
    case .cycle(let group, let key, let values):
      let name = try group.map { group throws(RenderingError) in try cycleName(group) } ?? key
      let turn = cycles[name, default: 0]
      cycles[name] = turn + 1 < values.count ? turn + 1 : 0
      // A tag of the same group with fewer values writes nothing at the turns that it does not have.
      if turn < values.count { try value(values[turn]).write(to: &output, &budget) }
    case .breakLoop: return .breakLoop
    case .continueLoop: return .continueLoop
    }
    return .next
  }

  private mutating func choose(
    _ subject: FilteredExpression, _ choices: [Node.Choice], into output: inout [UInt8]
  ) throws(RenderingError) -> Signal {
    let subject = try value(subject)
    var isChosen = false
    for choice in choices {
      // A `when` is rendered once for each of its values that matches, as in other implementations of Liquid.
      var matches = choice.values == nil && !isChosen ? 1 : 0
      for candidate in choice.values ?? [] {
        try budget.spend()
        if try isEqual(subject, to: candidate) { matches += 1 }
      }
      if choice.values != nil, matches > 0 { isChosen = true }
      for _ in 0..<matches {
        let signal = try render(choice.body, into: &output)
        if signal != .next { return signal }
      }
    }
    return .next
  }

  /// Renders a body and returns its output instead of writing it.
  ///
  /// The body is first rendered into the output, so that it counts toward the same limit.
  private mutating func collect(
    _ body: [Node], _ output: inout [UInt8]
  ) throws(RenderingError) -> ([UInt8], Signal) {
    let start = output.count
    let signal = try render(body, into: &output)
    let bytes = Array(output[start...])
    output.removeSubrange(start...)
    return (bytes, signal)
  }

  /// The key of a cycle's group; the string `1` and the number 1 have different keys.
  private mutating func cycleName(_ group: FilteredExpression) throws(RenderingError) -> String {
    let value = try value(group)
    let text = try budget.text(of: value)
    try budget.spend(bytes: text.utf8.count)
    if case .string = value { return "'" + text }
    return text
  }
}
