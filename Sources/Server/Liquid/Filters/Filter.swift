/// A filter: the number of its arguments and its function.
struct Filter: Sendable {
  typealias Function =
    @Sendable (LiquidValue, [LiquidValue], inout Budget) throws(RenderingError) -> LiquidValue

  let arity: ClosedRange<Int>
  let apply: Function
  /// Whether the filter replaces a missing value.
  var isDefault = false

  init(_ arity: ClosedRange<Int>, _ apply: @escaping Function) {
    self.arity = arity
    self.apply = apply
  }

  init(_ arity: Int, _ apply: @escaping Function) { self.init(arity...arity, apply) }

  private init(defaultOf arity: ClosedRange<Int>, _ apply: @escaping Function) {
    self.init(arity, apply)
    isDefault = true
  }

  /// The number of arguments in words, for an error message.
  var arityText: String {
    switch (arity.lowerBound, arity.upperBound) {
    case (0, 0): "no argument"
    case (1, 1): "one argument"
    case (let low, let high) where low == high: "\(low) arguments"
    case (let low, let high): "\(low) to \(high) arguments"
    }
  }

  static func named(_ name: String) -> Filter? { table[name] }

  /// The names of all filters, sorted.
  static let names = table.keys.sorted()

  private static let table: [String: Filter] =
    text.merging(cutting) { first, _ in first }
    .merging(encoding) { first, _ in first }
    .merging(numbers) { first, _ in first }
    .merging(arrays) { first, _ in first }
    .merging(search) { first, _ in first }
    .merging(general) { first, _ in first }

  private static let general: [String: Filter] = [
    "default": Filter(defaultOf: 0...1) { value, arguments, _ throws(RenderingError) in
      value.isTrue && !value.isEmpty ? value : arguments.first ?? .string("")
    },
    "date": Filter(1) { value, arguments, budget throws(RenderingError) in
      let format = try budget.text(of: arguments[0])
      try budget.spend(bytes: format.utf8.count * 16)
      if case .string(let text) = value { try budget.spend(bytes: text.utf8.count) }
      guard !format.isEmpty, let time = CivilTime(value, now: budget.now) else { return value }
      let text = try time.formatted(format, budget)
      try budget.check(size: text.utf8.count)
      return .string(text)
    },
  ]

  /// The filter `default` with `allow_false`, whose value is the second argument.
  static let defaultAllowingFalse = Filter(defaultOf: 2...2) {
    value, arguments, _ throws(RenderingError) in
    if case .bool(false) = value, arguments[1].isTrue { return value }
    return value.isTrue && !value.isEmpty ? value : arguments[0]
  }

  /// Makes a filter from strings to strings that counts the steps and checks the size of the result.
  static func ofText(
    _ arity: ClosedRange<Int> = 0...0,
    _ body:
      @escaping @Sendable (String, [LiquidValue], inout Budget) throws(RenderingError) -> String
  ) -> Filter {
    Filter(arity) { value, arguments, budget throws(RenderingError) in
      let text = try budget.text(of: value)
      try budget.spend(bytes: text.utf8.count)
      let result = try body(text, arguments, &budget)
      try budget.check(size: result.utf8.count)
      return .string(result)
    }
  }

  /// Makes a filter from strings to strings that has no argument.
  static func ofText(_ body: @escaping @Sendable (String) -> String) -> Filter {
    ofText { text, _, _ throws(RenderingError) in body(text) }
  }
}
