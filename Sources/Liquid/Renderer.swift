/// A rendering of a template for one context.
struct Renderer<Context: LiquidObject> {
  /// What the enclosing loop does after a node.
  enum Signal { case next, breakLoop, continueLoop }

  private let context: Context
  private var locals: [LiquidValue?]
  private var counters: [Int: Int64] = [:]
  private var cycles: [String: Int] = [:]
  private var continuedOffsets: [String: Int] = [:]
  private var budget: Budget
  /// The length of the output before the rendering, which does not count toward the limit.
  private let start: Int
  /// The offset in the source of the node that is rendered.
  private(set) var offset = 0

  init(context: Context, slots: Int, budget: Budget, start: Int) {
    self.context = context
    self.budget = budget
    self.start = start
    locals = slots == 0 ? [] : Array(repeating: nil, count: slots)
  }

  mutating func render(
    _ nodes: [Node], into output: inout [UInt8]
  ) throws(LimitExceeded) -> Signal {
    for node in nodes {
      let signal = try render(node, into: &output)
      try budget.check(size: output.count - start)
      if signal != .next { return signal }
    }
    return .next
  }

  private mutating func render(
    _ node: Node, into output: inout [UInt8]
  ) throws(LimitExceeded) -> Signal {
    try budget.spend()
    switch node {
    case .text(let bytes): output += bytes
    case .output(let filtered): try value(filtered).write(to: &output)
    case .assign(let slot, let filtered): locals[slot] = try value(filtered)
    case .capture(let slot, let body):
      // Rendered into the output and then removed, so that it counts toward the same limit.
      let start = output.count
      let signal = try render(body, into: &output)
      locals[slot] = .string(String(decoding: output[start...], as: UTF8.self))
      output.removeSubrange(start...)
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
    case .count(let counter):
      var count = counters[counter.slot, default: 0]
      if !counter.isIncrement { count &-= 1 }
      LiquidValue.integer(count).write(to: &output)
      counters[counter.slot] = counter.isIncrement ? count &+ 1 : count
    case .cycle(let group, let key, let values):
      let name = try group.map { group throws(LimitExceeded) in try value(group).text } ?? key
      let turn = cycles[name, default: 0]
      cycles[name] = turn + 1
      try value(values[turn % values.count]).write(to: &output)
    case .breakLoop: return .breakLoop
    case .continueLoop: return .continueLoop
    }
    return .next
  }

  private mutating func choose(
    _ subject: FilteredExpression, _ choices: [Node.Choice], into output: inout [UInt8]
  ) throws(LimitExceeded) -> Signal {
    let subject = try value(subject)
    var isChosen = false
    for choice in choices {
      // Every `when` with the value is rendered, as in other implementations of Liquid.
      var matches = choice.values == nil && !isChosen
      for candidate in choice.values ?? [] where try subject.isEqual(to: value(candidate)) {
        matches = true
        break
      }
      guard matches else { continue }
      isChosen = true
      let signal = try render(choice.body, into: &output)
      if signal != .next { return signal }
    }
    return .next
  }

  private mutating func run(
    _ loop: Node.Loop, into output: inout [UInt8]
  ) throws(LimitExceeded) -> Signal {
    offset = loop.position
    let collection = try value(loop.collection)
    let count = collection.elementCount
    var first = 0
    switch loop.offset {
    case .at(let expression): first = try max(0, value(expression).index ?? 0)
    case .continued: first = continuedOffsets[loop.name] ?? 0
    case nil: break
    }
    first = min(first, count)
    var length = count - first
    if let limit = loop.limit { length = try max(0, min(length, value(limit).index ?? 0)) }
    continuedOffsets[loop.name] = first + length
    guard length > 0 else { return try render(loop.elseBody, into: &output) }

    let outer = (locals[loop.slot], locals[loop.forloop])
    defer { (locals[loop.slot], locals[loop.forloop]) = outer }
    var state = ForLoop(name: loop.name, length: length, parent: outer.1 ?? .null)
    for round in 0..<length {
      try budget.spend()
      state.index = round
      let index = loop.isReversed ? length - 1 - round : round
      locals[loop.slot] = collection.element(at: first + index)
      locals[loop.forloop] = .object(state)
      if try render(loop.body, into: &output) == .breakLoop { break }
    }
    return .next
  }
}

extension Renderer {
  private mutating func value(_ filtered: FilteredExpression) throws(LimitExceeded) -> LiquidValue {
    offset = filtered.offset
    var result = try value(filtered.base)
    for call in filtered.calls {
      try budget.spend()
      var arguments: [LiquidValue] = []
      for argument in call.arguments { arguments.append(try value(argument)) }
      result = try call.filter.apply(result, arguments, &budget)
    }
    return result
  }

  private mutating func value(_ expression: Expression) throws(LimitExceeded) -> LiquidValue {
    switch expression {
    case .literal(let value): return value
    case .variable(let name, let slot, let path):
      var value = root(name, slot)
      for segment in path {
        switch segment {
        case .name(let name): value = value.member(name)
        case .index(let index): value = try value[self.value(index)]
        }
      }
      return value
    case .range(let low, let high):
      let ends = (try value(low).index ?? 0, try value(high).index ?? 0)
      return .range(Int64(ends.0), Int64(ends.1))
    }
  }

  private func root(_ name: String, _ slot: Int) -> LiquidValue {
    if slot < locals.count, let value = locals[slot] { return value }
    let value = context.member(name)
    if case .null = value, let count = counters[slot] { return .integer(count) }
    return value
  }

  private mutating func holds(_ condition: Condition) throws(LimitExceeded) -> Bool {
    offset = condition.offset
    for (index, test) in condition.tests.enumerated() {
      try budget.spend()
      let holds = try holds(test)
      guard index < condition.connectives.count else { return holds }
      switch (condition.connectives[index], holds) {
      case (.and, false): return false
      case (.or, true): return true
      default: continue
      }
    }
    return false
  }

  private mutating func holds(_ test: Condition.Test) throws(LimitExceeded) -> Bool {
    let left = try value(test.left)
    guard let (comparison, expression) = test.comparison else { return left.isTrue }
    let right = try value(expression)
    switch comparison {
    case .equal: return left.isEqual(to: right)
    case .unequal, .lessOrGreater: return !left.isEqual(to: right)
    case .less: return left.isLess(than: right) ?? false
    case .lessOrEqual: return right.isLess(than: left).map { !$0 } ?? false
    case .greater: return right.isLess(than: left) ?? false
    case .greaterOrEqual: return left.isLess(than: right).map { !$0 } ?? false
    case .contains:
      if case .array(let elements) = left { try budget.spend(elements.count) }
      return left.contains(right)
    }
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
