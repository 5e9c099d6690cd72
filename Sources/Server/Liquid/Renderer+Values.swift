extension Renderer {
  mutating func value(_ filtered: FilteredExpression) throws(RenderingError) -> LiquidValue {
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

  mutating func value(_ expression: Expression) throws(RenderingError) -> LiquidValue {
    switch expression {
    case .literal(let value): return value
    case .variable(let name, let slot, let path): return try follow(path, from: root(name, slot))
    case .lookup(let name, let path):
      guard case .string(let name) = try value(name) else { return .null }
      return try follow(path, from: root(name, names.existingSlot(of: name)))
    case .range(let low, let high):
      let ends = (try value(low).index ?? 0, try value(high).index ?? 0)
      return .range(Int64(ends.0), Int64(ends.1))
    }
  }

  private mutating func follow(
    _ path: [Expression.Segment], from root: LiquidValue
  ) throws(RenderingError) -> LiquidValue {
    var value = root
    // The step of the tag includes a short path.
    if path.count > 8 { try budget.spend(path.count / 8) }
    for segment in path {
      switch segment {
      case .name(let name):
        if case .string(let text) = value { try budget.spend(bytes: text.utf8.count) }
        value = value.member(name)
      case .index(let index): value = try value[self.value(index)]
      }
    }
    return value
  }

  private func root(_ name: String, _ slot: Int?) -> LiquidValue {
    if let slot, slot < locals.count, let value = locals[slot] { return value }
    let value = context.member(name)
    if case .null = value, let slot, let count = counters[slot] { return .integer(count) }
    return value
  }

  mutating func holds(_ condition: Condition) throws(RenderingError) -> Bool {
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

  private mutating func holds(_ test: Condition.Test) throws(RenderingError) -> Bool {
    let left = try value(test.left)
    guard let (comparison, expression) = test.comparison else { return left.isTrue }
    switch comparison {
    case .equal: return try isEqual(left, to: expression)
    case .unequal, .lessOrGreater: return try !isEqual(left, to: expression)
    default: break
    }
    let right = try value(expression)
    switch comparison {
    case .less: return try left.isLess(than: right) ?? false
    case .lessOrEqual: return try right.isLess(than: left).map { !$0 } ?? false
    case .greater: return try right.isLess(than: left) ?? false
    case .greaterOrEqual: return try left.isLess(than: right).map { !$0 } ?? false
    default: return try left.contains(right, &budget)
    }
  }

  /// Whether the operator `==` holds, and counts the steps of reading the values.
  mutating func isEqual(
    _ left: LiquidValue, to expression: Expression
  ) throws(RenderingError) -> Bool {
    let right = try value(expression)
    switch (left, right) {
    case (.array(let elements), .array): try budget.spend(elements.count)
    case (.string(let text), .blank), (.blank, .string(let text)):
      try budget.spend(bytes: text.utf8.count)
    case (.object(let object), .object): try budget.spend(object.names?.count ?? 0)
    default: break
    }
    return left.isEqual(to: right)
  }
}
