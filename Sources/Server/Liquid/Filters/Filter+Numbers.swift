extension Filter {
  /// Filters of numbers.
  ///
  /// A string that contains a number is that number, and any other value counts as 0.
  static let numbers: [String: Filter] = [
    "plus": ofNumbers { left, right throws(RenderingError) in try add(left, right) },
    "minus": ofNumbers { left, right throws(RenderingError) in
      try compute(
        left, right, integers: { $0.subtractingReportingOverflow($1) }, decimals: { $0 - $1 },
        doubles: { $0 - $1 })
    },
    "times": ofNumbers { left, right throws(RenderingError) in
      try compute(
        left, right, integers: { $0.multipliedReportingOverflow(by: $1) }, decimals: { $0 * $1 },
        doubles: { $0 * $1 })
    },
    // Whole numbers stay whole and are rounded down.
    "divided_by": dividing(
      integers: { left, right in
        let (quotient, isOver) = left.dividedReportingOverflow(by: right)
        let isBelow = !isOver && left % right != 0 && (left < 0) != (right < 0)
        return (isBelow ? quotient - 1 : quotient, isOver)
      }, decimals: { $0 / $1 }, doubles: { $0 / $1 }),
    "modulo": dividing(
      integers: { left, right in
        let (rest, isOver) = left.remainderReportingOverflow(dividingBy: right)
        return (!isOver && rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest, isOver)
      }, decimals: { $0 % $1 }, doubles: { $0 - ($0 / $1).rounded(.down) * $1 }),
    "abs": Filter(0) { value, _, _ throws(RenderingError) in
      switch value.arithmetic {
      case .integer(let value): value == .min ? .number(-Double(value)) : .integer(abs(value))
      case let other: .number(abs(other.double ?? 0))
      }
    },
    "at_least": ofNumbers { value, least throws(RenderingError) in
      try value.isLess(than: least) == true ? least : value
    },
    "at_most": ofNumbers { value, most throws(RenderingError) in
      try most.isLess(than: value) == true ? most : value
    },
    "ceil": Filter(0) { value, _, _ throws(RenderingError) in whole(value, .up) },
    "floor": Filter(0) { value, _, _ throws(RenderingError) in whole(value, .down) },
    "round": Filter(0...1) { value, arguments, _ throws(RenderingError) in
      let (number, digits) = (value.arithmetic, arguments.first?.index ?? 0)
      if case .integer = number, digits >= 0 { return number }
      guard let rounded = Decimal(number)?.rounded(to: digits) else { return number }
      return digits > 0 ? .number(rounded.double) : whole(.number(rounded.double), .down)
    },
  ]

  /// The sum of two numbers, which the filter `sum` needs too.
  static func add(
    _ left: LiquidValue, _ right: LiquidValue
  ) throws(RenderingError) -> LiquidValue {
    try compute(
      left, right, integers: { $0.addingReportingOverflow($1) }, decimals: { $0 + $1 },
      doubles: { $0 + $1 })
  }

  private typealias IntegerOperation =
    @Sendable (Int64, Int64) -> (partialValue: Int64, overflow: Bool)

  /// Makes a filter from two numbers.
  private static func ofNumbers(
    _ body: @escaping @Sendable (LiquidValue, LiquidValue) throws(RenderingError) -> LiquidValue
  ) -> Filter {
    Filter(1) { value, arguments, _ throws(RenderingError) in
      try body(value.arithmetic, arguments[0].arithmetic)
    }
  }

  private static func dividing(
    integers: @escaping IntegerOperation,
    decimals: @escaping @Sendable (Decimal, Decimal) -> Decimal?,
    doubles: @escaping @Sendable (Double, Double) -> Double
  ) -> Filter {
    ofNumbers { left, right throws(RenderingError) in
      guard right.double != 0 else { throw RenderingError(.value, "a number is divided by 0") }
      return try compute(left, right, integers: integers, decimals: decimals, doubles: doubles)
    }
  }

  /// Computes with whole numbers if both are whole and the result fits, otherwise with decimal numbers.
  private static func compute(
    _ left: LiquidValue, _ right: LiquidValue, integers: IntegerOperation,
    decimals: (Decimal, Decimal) -> Decimal?, doubles: (Double, Double) -> Double
  ) throws(RenderingError) -> LiquidValue {
    if case .integer(let left) = left, case .integer(let right) = right {
      let (result, isOver) = integers(left, right)
      if !isOver { return .integer(result) }
    }
    let result: Double
    if let left = Decimal(left), let right = Decimal(right), let decimal = decimals(left, right) {
      result = decimal.double
    } else {
      result = doubles(left.double ?? 0, right.double ?? 0)
    }
    guard result.isFinite else { throw RenderingError(.value, "a number is too large") }
    return .number(result)
  }

  private static func whole(
    _ value: LiquidValue, _ rule: FloatingPointRoundingRule
  ) -> LiquidValue {
    guard case .number(let number) = value.arithmetic else { return value.arithmetic }
    let rounded = number.rounded(rule)
    return Int64(exactly: rounded).map(LiquidValue.integer) ?? .number(rounded)
  }
}
