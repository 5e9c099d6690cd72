extension LiquidValue {
  /// Whether the operator `==` of a template holds.
  func isEqual(to other: LiquidValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.range(let low, let high), .range(let otherLow, let otherHigh)):
      low == otherLow && high == otherHigh
    case (.object(let left), .object(let right)): Self.isEqual(left, to: right)
    case (.empty, .empty), (.blank, .blank): true
    case (.empty, let value), (let value, .empty): value.isEmpty
    case (.blank, let value), (let value, .blank): value.isBlank
    default:
      if let left = double, let right = other.double { left == right } else { false }
    }
  }

  private static func isEqual(_ left: any LiquidObject, to right: any LiquidObject) -> Bool {
    guard let names = left.names, let others = right.names, names.count == others.count,
      Set(names) == Set(others)
    else { return false }
    return names.allSatisfy { left.member($0).isEqual(to: right.member($0)) }
  }

  /// Whether this is less than another value; `nil` if the values have no order, such as 1 and `nil`.
  func isLess(than other: LiquidValue) throws(RenderingError) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return left < right
    case (.string(let left), .string(let right)): return left < right
    case (.string, .integer), (.string, .number), (.integer, .string), (.number, .string):
      throw RenderingError(
        .value, "a string and a number have no order: add '| plus: 0' to the string in an 'assign'")
    default:
      guard let left = double, let right = other.double else { return nil }
      return left < right
    }
  }

  /// Whether a string contains another, an array an equal element, or an object a name.
  func contains(
    _ other: LiquidValue, _ budget: inout Budget
  ) throws(RenderingError) -> Bool {
    guard other.isTrue else { return false }
    switch self {
    case .string(let text):
      let part = try budget.text(of: other)
      try budget.spend(bytes: text.utf8.count, searchedFor: part)
      return ByteSearch(part).isFound(in: text)
    case .array(let elements):
      switch other {
      case .empty, .blank: return false
      default: break
      }
      try budget.spend(elements.count * max(1, other.elementCount))
      return elements.contains { $0.isEqual(to: other) }
    case .range(let low, let high):
      guard case .integer(let value) = other else { return false }
      return low <= value && value <= high
    case .object(let object):
      guard case .string(let name) = other, let names = object.names else { return false }
      try budget.spend(names.count)
      return names.contains(name)
    default: return false
    }
  }
}
