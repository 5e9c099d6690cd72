extension Filter {
  /// Filters of arrays.
  ///
  /// A single value counts as an array of one element, and `nil` as an empty array.
  static let arrays: [String: Filter] = [
    "size": Filter(0) { value, _, budget throws(LimitExceeded) in
      if case .string(let text) = value { try budget.spend(bytes: text.utf8.count) }
      if case .integer = value.member("size") { return value.member("size") }
      return .integer(0)
    },
    "first": Filter(0) { value, _, _ throws(LimitExceeded) in value.member("first") },
    "last": Filter(0) { value, _, _ throws(LimitExceeded) in value.member("last") },
    "join": Filter(0...1) { value, arguments, budget throws(LimitExceeded) in
      let separator = Array((arguments.first?.text ?? " ").utf8)
      var bytes: [UInt8] = []
      for (index, element) in try elements(of: value, &budget).enumerated() {
        if index > 0 { bytes += separator }
        element.write(to: &bytes)
        try budget.check(size: bytes.count)
      }
      return .string(String(decoding: bytes, as: UTF8.self))
    },
    "reverse": Filter(0) { value, _, budget throws(LimitExceeded) in
      .array(try elements(of: value, &budget).reversed())
    },
    "concat": Filter(1) { value, arguments, budget throws(LimitExceeded) in
      let all = try elements(of: value, &budget) + elements(of: arguments[0], &budget)
      try budget.check(size: all.count)
      return .array(all)
    },
    "compact": Filter(0...1) { value, arguments, budget throws(LimitExceeded) in
      .array(
        try elements(of: value, &budget).filter { element in
          if case .null = property(arguments.first, of: element) { false } else { true }
        })
    },
    "map": Filter(1) { value, arguments, budget throws(LimitExceeded) in
      .array(try elements(of: value, &budget).map { property(arguments[0], of: $0) })
    },
    "sum": Filter(0...1) { value, arguments, budget throws(LimitExceeded) in
      try elements(of: value, &budget).reduce(.integer(0)) {
        add($0, property(arguments.first, of: $1))
      }
    },
    "uniq": Filter(0...1) { value, arguments, budget throws(LimitExceeded) in
      var unique: [LiquidValue] = []
      var keys: [LiquidValue] = []
      for element in try elements(of: value, &budget) {
        let key = property(arguments.first, of: element)
        try budget.spend(keys.count / 16)
        guard !keys.contains(where: { $0.isEqual(to: key) }) else { continue }
        keys.append(key)
        unique.append(element)
      }
      return .array(unique)
    },
    "sort": Filter(0...1) { value, arguments, budget throws(LimitExceeded) in
      let keyed = try elements(of: value, &budget).map { (property(arguments.first, of: $0), $0) }
      return .array(try sorted(keyed, &budget))
    },
    "sort_natural": Filter(0...1) { value, arguments, budget throws(LimitExceeded) in
      let keyed = try elements(of: value, &budget).map { element in
        let key = property(arguments.first, of: element)
        if case .null = key { return (key, element) }
        return (LiquidValue.string(key.text.lowercased()), element)
      }
      return .array(try sorted(keyed, &budget))
    },
    "where": Filter(1...2) { value, arguments, budget throws(LimitExceeded) in
      .array(try elements(of: value, &budget).filter { matches($0, arguments) })
    },
    "reject": Filter(1...2) { value, arguments, budget throws(LimitExceeded) in
      .array(try elements(of: value, &budget).filter { !matches($0, arguments) })
    },
    "find": Filter(1...2) { value, arguments, budget throws(LimitExceeded) in
      try elements(of: value, &budget).first { matches($0, arguments) } ?? .null
    },
    "find_index": Filter(1...2) { value, arguments, budget throws(LimitExceeded) in
      let index = try elements(of: value, &budget).firstIndex { matches($0, arguments) }
      return index.map { .integer(Int64($0)) } ?? .null
    },
    "has": Filter(1...2) { value, arguments, budget throws(LimitExceeded) in
      .bool(try elements(of: value, &budget).contains { matches($0, arguments) })
    },
  ]

  private static func elements(
    of value: LiquidValue, _ budget: inout Budget
  ) throws(LimitExceeded) -> [LiquidValue] {
    switch value {
    case .null: return []
    case .array(let elements):
      try budget.spend(elements.count)
      return elements
    case .range:
      try budget.check(size: value.elementCount)
      try budget.spend(value.elementCount)
      return (0..<value.elementCount).map(value.element)
    default: return [value]
    }
  }

  /// The member of an element with a name; the element itself where there is no name.
  private static func property(_ name: LiquidValue?, of element: LiquidValue) -> LiquidValue {
    guard let name else { return element }
    return element.member(name.text)
  }

  /// Whether the element's member equals the second argument; without one, whether it is true.
  private static func matches(_ element: LiquidValue, _ arguments: [LiquidValue]) -> Bool {
    let member = element.member(arguments[0].text)
    return arguments.count > 1 ? member.isEqual(to: arguments[1]) : member.isTrue
  }

  /// Sorts by the keys.
  ///
  /// The sort is stable, and keys without an order come last.
  private static func sorted(
    _ keyed: [(key: LiquidValue, element: LiquidValue)], _ budget: inout Budget
  ) throws(LimitExceeded) -> [LiquidValue] {
    try budget.spend(keyed.count * 4)
    // Numbers, strings and other keys are kept apart, since the order must be total.
    func rank(_ key: LiquidValue) -> Int {
      switch key {
      case .integer, .number: 0
      case .string: 1
      default: 2
      }
    }
    return keyed.enumerated().sorted { left, right in
      let ranks = (rank(left.element.key), rank(right.element.key))
      guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
      if left.element.key.isLess(than: right.element.key) == true { return true }
      if right.element.key.isLess(than: left.element.key) == true { return false }
      return left.offset < right.offset
    }.map(\.element.element)
  }
}
