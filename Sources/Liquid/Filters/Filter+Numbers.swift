extension Filter {
  /// Filters of numbers.
  ///
  /// A string that contains a number is that number, and any other value counts as 0.
  static let numbers: [String: Filter] = [
    "plus": ofNumbers(integers: { $0.addingReportingOverflow($1) }, doubles: { $0 + $1 }),
    "minus": ofNumbers(integers: { $0.subtractingReportingOverflow($1) }, doubles: { $0 - $1 }),
    "times": ofNumbers(integers: { $0.multipliedReportingOverflow(by: $1) }, doubles: { $0 * $1 }),
    // Whole numbers stay whole and are rounded down; a division by 0 is `nil`.
    "divided_by": ofNumbers(
      integers: { left, right in
        let (quotient, isOver) = left.dividedReportingOverflow(by: right)
        let isBelow = !isOver && left % right != 0 && (left < 0) != (right < 0)
        return (isBelow ? quotient - 1 : quotient, isOver)
      }, doubles: { $0 / $1 }),
    "modulo": ofNumbers(
      integers: { left, right in
        let (rest, isOver) = left.remainderReportingOverflow(dividingBy: right)
        return (!isOver && rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest, isOver)
      }, doubles: { $0 - ($0 / $1).rounded(.down) * $1 }),
    "abs": Filter(0) { value, _, _ throws(LimitExceeded) in
      switch value.arithmetic {
      case .integer(let value): value == .min ? .number(-Double(value)) : .integer(abs(value))
      case let other: .number(abs(other.double ?? 0))
      }
    },
    "at_least": Filter(1) { value, arguments, _ throws(LimitExceeded) in
      let (value, least) = (value.arithmetic, arguments[0].arithmetic)
      return value.isLess(than: least) == true ? least : value
    },
    "at_most": Filter(1) { value, arguments, _ throws(LimitExceeded) in
      let (value, most) = (value.arithmetic, arguments[0].arithmetic)
      return most.isLess(than: value) == true ? most : value
    },
    "ceil": Filter(0) { value, _, _ throws(LimitExceeded) in whole(value, .up) },
    "floor": Filter(0) { value, _, _ throws(LimitExceeded) in whole(value, .down) },
    "round": Filter(0...1) { value, arguments, _ throws(LimitExceeded) in
      let digits = arguments.first?.index ?? 0
      guard digits > 0 else { return whole(value, .toNearestOrAwayFromZero) }
      guard digits < 16, case .number(let number) = value.arithmetic else {
        return value.arithmetic
      }
      let scale = power(ofTen: digits)
      let rounded = (number * scale).rounded(.toNearestOrAwayFromZero) / scale
      return .number(rounded.isFinite ? rounded : number)
    },
  ]

  /// The sum of two values, which the filter `sum` needs too.
  static func add(_ left: LiquidValue, _ right: LiquidValue) -> LiquidValue {
    compute(
      left, right, integers: { $0.addingReportingOverflow($1) }, doubles: { $0 + $1 })
  }

  private typealias IntegerOperation =
    @Sendable (Int64, Int64) -> (partialValue: Int64, overflow: Bool)

  private static func ofNumbers(
    integers: @escaping IntegerOperation, doubles: @escaping @Sendable (Double, Double) -> Double
  ) -> Filter {
    Filter(1) { value, arguments, _ throws(LimitExceeded) in
      compute(value, arguments[0], integers: integers, doubles: doubles)
    }
  }

  /// Computes with whole numbers where both are whole and the result fits, else with doubles.
  private static func compute(
    _ left: LiquidValue, _ right: LiquidValue, integers: IntegerOperation,
    doubles: (Double, Double) -> Double
  ) -> LiquidValue {
    let (left, right) = (left.arithmetic, right.arithmetic)
    if case .integer(let left) = left, case .integer(let right) = right {
      let (result, isOver) = integers(left, right)
      if !isOver { return .integer(result) }
    }
    let result = doubles(left.double ?? 0, right.double ?? 0)
    return result.isFinite ? .number(decimal(result)) : .null
  }

  private static func whole(
    _ value: LiquidValue, _ rule: FloatingPointRoundingRule
  ) -> LiquidValue {
    guard case .number(let number) = value.arithmetic else { return value.arithmetic }
    let rounded = number.rounded(rule)
    return Int64(exactly: rounded).map(LiquidValue.integer) ?? .number(rounded)
  }

  /// Rounds to 15 significant digits, so that 0.1 + 0.2 is 0.3, as a price should be.
  private static func decimal(_ number: Double) -> Double {
    let size = abs(number)
    guard size >= 1e-6, size < 1e15 else { return number }
    var digits = 15
    var bound = 1.0
    while bound <= size {
      bound *= 10
      digits -= 1
    }
    let scale = power(ofTen: digits)
    return (number * scale).rounded() / scale
  }

  private static func power(ofTen exponent: Int) -> Double {
    (0..<max(0, exponent)).reduce(1.0) { power, _ in power * 10 }
  }
}
