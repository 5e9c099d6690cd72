extension LiquidValue {
  /// Writes the value: an array writes its elements one after the other.
  func write(to output: inout [UInt8], _ budget: inout Budget) throws(RenderingError) {
    switch self {
    case .null, .empty, .blank: break
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    case .number(let value): output += Self.text(of: value).utf8
    case .string(let text): output += text.utf8
    case .array(let elements):
      try budget.spend(elements.count)
      let start = output.count
      for element in elements {
        try element.write(to: &output, &budget)
        // Checked after each element, because a short array may repeat a long string.
        try budget.check(size: output.count - start)
      }
    case .range(let low, let high): output += "\(low)..\(high)".utf8
    case .object(let object):
      guard let names = object.names else { return }
      try Self.write(names, in: "{}", to: &output, budget: &budget) {
        name, output, budget throws(RenderingError) in
        Self.quote(name, to: &output)
        output += "=>".utf8
        try object.member(name).writeLiteral(to: &output, &budget)
      }
    }
  }

  /// Writes the value as it appears inside an object: strings have quotes, and `nil` is written as a word.
  private func writeLiteral(
    to output: inout [UInt8], _ budget: inout Budget
  ) throws(RenderingError) {
    switch self {
    case .null: output += "nil".utf8
    case .string(let text): Self.quote(text, to: &output)
    case .array(let elements):
      try Self.write(elements, in: "[]", to: &output, budget: &budget) {
        value, output, budget throws(RenderingError) in
        try value.writeLiteral(to: &output, &budget)
      }
    default: try write(to: &output, &budget)
    }
  }

  /// Writes elements in brackets with commas between them.
  private static func write<Element>(
    _ elements: [Element], in brackets: StaticString, to output: inout [UInt8],
    budget: inout Budget,
    _ write: (Element, inout [UInt8], inout Budget) throws(RenderingError) -> Void
  ) throws(RenderingError) {
    try budget.spend(elements.count)
    let start = output.count
    let ends = Array(brackets.description.utf8)
    output.append(ends[0])
    for (index, element) in elements.enumerated() {
      if index > 0 { output += ", ".utf8 }
      try write(element, &output, &budget)
      try budget.check(size: output.count - start)
    }
    output.append(ends[1])
  }

  private static func quote(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x0a: output += #"\n"#.utf8
      case 0x0d: output += #"\r"#.utf8
      case 0x09: output += #"\t"#.utf8
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// A number as Ruby writes it: with a decimal point from 0.0001 up to 1,000,000,000,000,000, with an exponent
  /// outside; empty if it is not finite.
  private static func text(of number: Double) -> String {
    guard let decimal = Decimal(number) else { return "" }
    let sign = number < 0 ? "-" : ""
    let digits = String(decimal.mantissa.magnitude)
    let point = digits.count + decimal.exponent
    switch point {
    case _ where digits == "0": return "0.0"
    case 1...15:
      let padded = digits + String(repeating: "0", count: max(0, point - digits.count))
      let fraction = padded.dropFirst(point)
      return sign + padded.prefix(point) + "." + (fraction.isEmpty ? "0" : fraction)
    case -3...0: return sign + "0." + String(repeating: "0", count: -point) + digits
    default:
      let fraction = digits.count > 1 ? digits.dropFirst() : "0"
      let exponent = String(abs(point - 1))
      return sign + digits.prefix(1) + "." + fraction + (point > 0 ? "e+" : "e-")
        + String(repeating: "0", count: max(0, 2 - exponent.count)) + exponent
    }
  }
}
