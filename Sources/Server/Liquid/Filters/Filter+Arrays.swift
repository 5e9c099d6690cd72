extension Filter {
  /// Filters of arrays.
  ///
  /// A single value counts as an array of one element, and `nil` as an empty array. Arrays in an array are read
  /// as if their elements stood in it.
  static let arrays: [String: Filter] = [
    "size": reading { value in
      if case .object(let object) = value { return .integer(Int64(object.names?.count ?? 0)) }
      if case .integer(let size) = value.member("size") { return .integer(size) }
      return .integer(0)
    },
    "first": reading { $0.member("first") },
    "last": reading { $0.member("last") },
    "join": Filter(0...1) { value, arguments, budget throws(RenderingError) in
      let separator = try arguments.isEmpty ? " " : budget.text(of: arguments[0])
      var bytes: [UInt8] = []
      for (index, element) in try elements(of: value, &budget).enumerated() {
        if index > 0 { bytes += separator.utf8 }
        try element.write(to: &bytes, &budget)
        try budget.check(size: bytes.count)
      }
      return .string(String(decoding: bytes, as: UTF8.self))
    },
    "reverse": Filter(0) { value, _, budget throws(RenderingError) in
      .array(try elements(of: value, &budget).reversed())
    },
    "concat": Filter(1) { value, arguments, budget throws(RenderingError) in
      guard case .array(let others) = arguments[0] else {
        throw RenderingError(.value, "the argument of 'concat' must be an array")
      }
      try budget.spend(others.count)
      let all = try elements(of: value, &budget) + others
      try budget.check(size: all.count)
      return .array(all)
    },
    "compact": Filter(0...1) { value, arguments, budget throws(RenderingError) in
      let elements = try elements(of: value, &budget)
      guard let keys = try keys(of: elements, arguments.first, &budget) else { return .null }
      return .array(zip(elements, keys).compactMap { if case .null = $1 { nil } else { $0 } })
    },
    "map": Filter(1) { value, arguments, budget throws(RenderingError) in
      var members: [LiquidValue] = []
      for element in try elements(of: value, &budget) {
        members.append(try property(arguments[0], of: element, &budget) ?? .null)
      }
      return .array(members)
    },
    "sum": Filter(0...1) { value, arguments, budget throws(RenderingError) in
      var members: [LiquidValue] = []
      for element in try elements(of: value, &budget) {
        guard let name = arguments.first?.unlessNull else {
          members.append(element)
          continue
        }
        members.append(try property(name, of: element, &budget) ?? .integer(0))
      }
      var sum = LiquidValue.integer(0)
      for member in try elements(of: .array(members), &budget) {
        sum = try add(sum, member.arithmetic)
      }
      return sum
    },
    "uniq": Filter(0...1) { value, arguments, budget throws(RenderingError) in
      let elements = try elements(of: value, &budget)
      guard let keys = try keys(of: elements, arguments.first, &budget) else { return .null }
      var unique: [LiquidValue] = []
      var seen: [LiquidValue] = []
      for (element, key) in zip(elements, keys) {
        try budget.spend(seen.count / 16)
        guard !seen.contains(where: { $0.isEqual(to: key) }) else { continue }
        seen.append(key)
        unique.append(element)
      }
      return .array(unique)
    },
  ]

  /// Makes a filter without arguments that counts the steps of reading a whole string.
  private static func reading(
    _ body: @escaping @Sendable (LiquidValue) -> LiquidValue
  ) -> Filter {
    Filter(0) { value, _, budget throws(RenderingError) in
      if case .string(let text) = value { try budget.spend(bytes: text.utf8.count) }
      return body(value)
    }
  }

  /// The elements that a filter reads.
  static func elements(
    of value: LiquidValue, _ budget: inout Budget
  ) throws(RenderingError) -> [LiquidValue] {
    switch value {
    case .null: return []
    case .array(let elements):
      try budget.spend(elements.count)
      guard elements.contains(where: \.isArray) else { return elements }
      var flat: [LiquidValue] = []
      for element in elements {
        if element.isArray {
          flat += try Self.elements(of: element, &budget)
        } else {
          flat.append(element)
        }
        try budget.check(size: flat.count)
      }
      return flat
    case .range:
      try budget.check(size: value.elementCount)
      try budget.spend(value.elementCount)
      return (0..<value.elementCount).map(value.element)
    default: return [value]
    }
  }

  /// The member of an element that an argument names; `nil` if the element cannot have members.
  ///
  /// As in other implementations, a string has the strings that it contains as members, and its characters by
  /// index; a whole number has its bits.
  static func property(
    _ name: LiquidValue, of element: LiquidValue, _ budget: inout Budget
  ) throws(RenderingError) -> LiquidValue? {
    switch (element, name) {
    case (.object(let object), .string(let name)): return object.member(name)
    case (.object, _): return .null
    case (.string(let text), .string(let part)):
      try budget.spend(bytes: text.utf8.count, searchedFor: part)
      return ByteSearch(part).isFound(in: text) ? name : .null
    case (.string(let text), .integer(let index)):
      try budget.spend(bytes: text.utf8.count)
      let characters = slice(text, from: Int(index), length: 1)
      return characters.isEmpty ? .null : .string(String(characters))
    case (.integer(let number), .integer(let bit)):
      return .integer(bit < 0 ? 0 : number >> min(bit, 63) & 1)
    case (.string, _), (.integer, _):
      throw RenderingError(
        .value, "a string or a number has no member of the type that the filter asks for")
    default: return nil
    }
  }

  /// The members of elements that an argument names, or the elements themselves without an argument; `nil` if an
  /// element cannot have members.
  static func keys(
    of elements: [LiquidValue], _ name: LiquidValue?, _ budget: inout Budget
  ) throws(RenderingError) -> [LiquidValue]? {
    guard let name = name?.unlessNull else { return elements }
    var keys: [LiquidValue] = []
    for element in elements {
      guard let key = try property(name, of: element, &budget) else { return nil }
      keys.append(key)
    }
    return keys
  }
}

extension LiquidValue {
  fileprivate var isArray: Bool { if case .array = self { true } else { false } }

  /// The value; Swift's `nil` if it is `nil` in the template.
  var unlessNull: LiquidValue? { if case .null = self { nil } else { self } }
}
