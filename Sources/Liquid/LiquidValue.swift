/// A value of a template.
package enum LiquidValue: Sendable {
  /// `nil`, the value of a missing name. It writes nothing and is false.
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([LiquidValue])
  /// `(1..5)`, including both ends. It becomes an array only where a filter needs one.
  case range(Int64, Int64)
  case object(any LiquidObject)
  /// The words `empty` and `blank`, which have a meaning only in comparisons.
  case empty, blank
}

/// An object with named members: the context of a rendering, or a value in it.
///
/// A member is computed when a template names it.
package protocol LiquidObject: Sendable {
  /// The member with a name; ``LiquidValue/null`` where there is none.
  func member(_ name: String) -> LiquidValue
}

extension LiquidValue {
  /// Whether the value is neither `nil` nor `false`; an empty string and 0 are true.
  var isTrue: Bool {
    switch self {
    case .null, .bool(false): false
    default: true
    }
  }

  /// Whether the value is an empty string, array or range.
  var isEmpty: Bool {
    switch self {
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .range(let low, let high): low > high
    default: false
    }
  }

  /// Whether the value is empty, `nil`, `false`, or a string of white space.
  var isBlank: Bool {
    switch self {
    case .null, .bool(false): true
    case .string(let text): text.allSatisfy(\.isWhitespace)
    default: isEmpty
    }
  }

  /// The value as a number: a string that contains one is that number, and any other value is 0.
  var arithmetic: LiquidValue {
    switch self {
    case .integer, .number: self
    case .string(let text):
      Int64(text).map(LiquidValue.integer) ?? Self.decimal(text) ?? .integer(0)
    default: .integer(0)
    }
  }

  private static func decimal(_ text: String) -> LiquidValue? {
    guard text.utf8.allSatisfy({ $0 < 0x3a && $0 > 0x2a }), let number = Double(text) else {
      return nil
    }
    return .number(number)
  }

  /// The value as an index, a length or a limit; `nil` where it does not fit in an `Int`.
  var index: Int? {
    switch arithmetic {
    case .integer(let value): Int(exactly: value)
    case .number(let value): Int(exactly: value.rounded(.towardZero))
    default: nil
    }
  }

  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The output of the value as a string.
  var text: String {
    if case .string(let text) = self { return text }
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the value: an array writes its elements one after the other, an object writes nothing.
  func write(to output: inout [UInt8]) {
    switch self {
    case .null, .object, .empty, .blank: break
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    case .number(let value): if value.isFinite { output += value.description.utf8 }
    case .string(let text): output += text.utf8
    case .array(let elements): for element in elements { element.write(to: &output) }
    case .range(let low, let high): output += "\(low)..\(high)".utf8
    }
  }
}

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
    case (.empty, .empty), (.blank, .blank): true
    case (.empty, let value), (let value, .empty): value.isEmpty
    case (.blank, let value), (let value, .blank): value.isBlank
    default:
      if let left = double, let right = other.double { left == right } else { false }
    }
  }

  /// Whether this is less than another value; `nil` for values without an order, such as 1 and `"1"`.
  func isLess(than other: LiquidValue) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.string(let left), .string(let right)): left < right
    default:
      if let left = double, let right = other.double { left < right } else { nil }
    }
  }

  /// Whether a string contains another, or an array an equal element.
  func contains(_ other: LiquidValue) -> Bool {
    switch self {
    case .string(let text):
      if case .null = other { return false }
      return ByteSearch(other.text).isFound(in: text)
    case .array(let elements): return elements.contains { $0.isEqual(to: other) }
    case .range(let low, let high):
      guard case .integer(let value) = other else { return false }
      return low <= value && value <= high
    default: return false
    }
  }

  /// The value of `.name`: a member, or `size`, `first` and `last` of a string, an array or a range.
  func member(_ name: String) -> LiquidValue {
    if case .object(let object) = self { return object.member(name) }
    switch (self, name) {
    case (.string(let text), "size"): return .integer(Int64(text.count))
    case (.array(let elements), "size"): return .integer(Int64(elements.count))
    case (.array(let elements), "first"): return elements.first ?? .null
    case (.array(let elements), "last"): return elements.last ?? .null
    case (.range(let low, let high), "first"): return low > high ? .null : .integer(low)
    case (.range(let low, let high), "last"): return low > high ? .null : .integer(high)
    case (.range, "size"): return .integer(Int64(clamping: elementCount))
    default: return .null
    }
  }

  /// The value of `[key]`: a member, or an element by its index, which counts from the end where it is negative.
  subscript(key: LiquidValue) -> LiquidValue {
    switch (self, key) {
    case (.object(let object), .string(let name)): return object.member(name)
    case (.array(let elements), .integer(let position)):
      let index = position < 0 ? Int64(elements.count) + position : position
      return elements.indices.contains(Int(clamping: index)) ? elements[Int(index)] : .null
    default: return .null
    }
  }

  /// The number of iterations of a loop over the value.
  var elementCount: Int {
    switch self {
    case .array(let elements): elements.count
    case .range(let low, let high):
      low > high ? 0 : Int(clamping: UInt64(bitPattern: high &- low).addingOne)
    case .string(let text): text.isEmpty ? 0 : 1
    default: 0
    }
  }

  /// The element at an index from 0 up to ``elementCount``.
  func element(at index: Int) -> LiquidValue {
    switch self {
    case .array(let elements): elements[index]
    case .range(let low, _): .integer(low + Int64(index))
    default: self
    }
  }
}

extension UInt64 {
  fileprivate var addingOne: UInt64 { self == .max ? .max : self + 1 }
}
