/// A decimal number, in which 0.1 + 0.2 is 0.3, as prices need.
///
/// A `Double` stands for the shortest decimal number that reads as it.
struct Decimal {
  /// The number without its decimal point.
  let mantissa: Int128
  /// The power of ten that the mantissa is multiplied by.
  let exponent: Int

  /// Makes the number that a finite double stands for, without zeros at its end.
  init?(_ number: Double) {
    guard number.isFinite else { return nil }
    let parts = number.description.split(separator: "e")
    let digits = parts[0].split(separator: ".")
    let fraction = digits.count > 1 ? digits[1] : ""
    guard var mantissa = Int128(digits[0] + fraction) else { return nil }
    var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
    while mantissa != 0, mantissa % 10 == 0 {
      mantissa /= 10
      exponent += 1
    }
    self.init(mantissa, exponent: mantissa == 0 ? 0 : exponent)
  }

  /// Makes the number of a value; `nil` if the value is not a finite number.
  init?(_ value: LiquidValue) {
    switch value {
    case .integer(let value): self.init(Int128(value), exponent: 0)
    case .number(let value): self.init(value)
    default: return nil
    }
  }

  private init(_ mantissa: Int128, exponent: Int) {
    self.mantissa = mantissa
    self.exponent = exponent
  }

  /// The double that is nearest to the number.
  var double: Double {
    // A double holds both of these exactly, so their quotient is the nearest double.
    if -22...0 ~= exponent, let digits = Int64(exactly: mantissa), digits.magnitude < 1 << 53,
      let power = Self.power(ofTen: -exponent)
    {
      return Double(digits) / Double(power)
    }
    return Double("\(mantissa)e\(exponent)") ?? 0
  }

  // The operations return `nil` if a result has too many digits; a double is then as good.

  static func + (left: Decimal, right: Decimal) -> Decimal? {
    guard let (left, right, exponent) = aligned(left, right) else { return nil }
    let (sum, isOver) = left.addingReportingOverflow(right)
    return isOver ? nil : Decimal(sum, exponent: exponent)
  }

  static func - (left: Decimal, right: Decimal) -> Decimal? {
    left + Decimal(-right.mantissa, exponent: right.exponent)
  }

  static func * (left: Decimal, right: Decimal) -> Decimal? {
    let (product, isOver) = left.mantissa.multipliedReportingOverflow(by: right.mantissa)
    return isOver ? nil : Decimal(product, exponent: left.exponent + right.exponent)
  }

  /// The quotient with more digits than a double has; the divisor is not 0.
  static func / (left: Decimal, right: Decimal) -> Decimal? {
    // All 38 digits of an Int128 are used: the divisor has at most 19, so at least 18 are left.
    let power = 38 - String(left.mantissa.magnitude).utf8.count
    guard let scaled = left.scaled(by: power) else { return nil }
    return Decimal(scaled / right.mantissa, exponent: left.exponent - power - right.exponent)
  }

  /// The remainder, which has the sign of the divisor; the divisor is not 0.
  static func % (left: Decimal, right: Decimal) -> Decimal? {
    guard let (left, right, exponent) = aligned(left, right) else { return nil }
    let rest = left % right
    let isOtherSign = rest != 0 && (rest < 0) != (right < 0)
    return Decimal(isOtherSign ? rest + right : rest, exponent: exponent)
  }

  /// The number rounded to this many digits after the decimal point, or to a power of ten if `digits` is negative; a
  /// half is rounded away from 0.
  func rounded(to digits: Int) -> Decimal? {
    // A double has no digit beyond these places.
    let place = -min(max(digits, -400), 400)
    guard place > exponent else { return self }
    guard let unit = Self.power(ofTen: place - exponent) else { return Decimal(0, exponent: 0) }
    let rest = mantissa % unit
    let isUp = rest.magnitude >= unit.magnitude - rest.magnitude
    let whole = mantissa - rest + (isUp && rest != 0 ? (mantissa < 0 ? -unit : unit) : 0)
    return Decimal(whole, exponent: exponent)
  }

  /// The mantissas with the lower of the two exponents.
  private static func aligned(
    _ left: Decimal, _ right: Decimal
  ) -> (left: Int128, right: Int128, exponent: Int)? {
    let exponent = min(left.exponent, right.exponent)
    guard let first = left.scaled(by: left.exponent - exponent),
      let second = right.scaled(by: right.exponent - exponent)
    else { return nil }
    return (first, second, exponent)
  }

  private func scaled(by exponent: Int) -> Int128? {
    guard let power = Self.power(ofTen: exponent) else { return nil }
    let (scaled, isOver) = mantissa.multipliedReportingOverflow(by: power)
    return isOver ? nil : scaled
  }

  private static func power(ofTen exponent: Int) -> Int128? {
    guard 0...38 ~= exponent else { return nil }
    return (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
