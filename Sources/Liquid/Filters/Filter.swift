/// A filter: the number of its arguments and its function.
struct Filter: Sendable {
  typealias Function =
    @Sendable (LiquidValue, [LiquidValue], inout Budget) throws(LimitExceeded) -> LiquidValue

  let arity: ClosedRange<Int>
  let apply: Function

  init(_ arity: ClosedRange<Int>, _ apply: @escaping Function) {
    self.arity = arity
    self.apply = apply
  }

  init(_ arity: Int, _ apply: @escaping Function) { self.init(arity...arity, apply) }

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

  private static let table: [String: Filter] =
    text.merging(cutting) { first, _ in first }
    .merging(encoding) { first, _ in first }
    .merging(numbers) { first, _ in first }
    .merging(arrays) { first, _ in first }
    .merging(general) { first, _ in first }

  private static let general: [String: Filter] = [
    "default": Filter(0...1) { value, arguments, _ throws(LimitExceeded) in
      fallback(value, arguments, isFalseKept: false)
    },
    "date": Filter(1) { value, arguments, budget throws(LimitExceeded) in
      let format = arguments[0].text
      try budget.spend(bytes: format.utf8.count * 16)
      guard !format.isEmpty, let time = CivilTime(value, now: budget.now) else { return value }
      let text = time.formatted(format)
      try budget.check(size: text.utf8.count)
      return .string(text)
    },
  ]

  static let defaultAllowingFalse = Filter(0...1) { value, arguments, _ throws(LimitExceeded) in
    fallback(value, arguments, isFalseKept: true)
  }

  private static func fallback(
    _ value: LiquidValue, _ arguments: [LiquidValue], isFalseKept: Bool
  ) -> LiquidValue {
    if case .bool(false) = value, isFalseKept { return value }
    return value.isTrue && !value.isEmpty ? value : arguments.first ?? .string("")
  }

  /// Makes a filter from strings to strings that counts the steps and checks the size of the result.
  static func ofText(
    _ arity: ClosedRange<Int> = 0...0,
    _ body: @escaping @Sendable (String, [LiquidValue]) -> String
  ) -> Filter {
    Filter(arity) { value, arguments, budget throws(LimitExceeded) in
      let text = value.text
      try budget.spend(bytes: text.utf8.count)
      let result = body(text, arguments)
      try budget.check(size: result.utf8.count)
      return .string(result)
    }
  }
}
