/// A value of a template.
package enum LiquidValue: Sendable {
  /// `nil`, the value of a missing name. It writes nothing and is false.
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([LiquidValue])
  /// `(1..5)`, including both ends. It becomes an array only if a filter needs one.
  case range(Int64, Int64)
  case object(any LiquidObject)
  /// The words `empty` and `blank`, which have a meaning only in comparisons.
  case empty, blank
}

/// An object with named members: the context of a rendering, or a value in it.
///
/// A member is computed when a template names it.
package protocol LiquidObject: Sendable {
  /// The member with a name; ``LiquidValue/null`` if the object does not have it.
  func member(_ name: String) -> LiquidValue

  /// The names of all members in their order; `nil` if the members cannot be listed.
  ///
  /// A loop over an object has a pair of name and value for each listed member. Without a list, the object has no
  /// elements and writes nothing.
  var names: [String]? { get }
}

extension LiquidObject {
  package var names: [String]? { nil }

  /// A member as an array of its name and its value.
  func pair(_ name: String) -> LiquidValue { .array([.string(name), member(name)]) }
}

extension LiquidValue {
  /// Whether the value is neither `nil` nor `false`; an empty string and 0 are true.
  var isTrue: Bool {
    switch self {
    case .null, .bool(false): false
    default: true
    }
  }

  /// Whether the value is an empty string, array, range or object.
  var isEmpty: Bool {
    switch self {
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .range(let low, let high): low > high
    case .object(let object): object.names?.isEmpty ?? false
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
}

extension LiquidValue {
  /// The value of `.name`: a member, or `size`, `first` and `last` of a string, an array, a range or an object.
  func member(_ name: String) -> LiquidValue {
    switch (self, name) {
    case (.object(let object), _):
      let value = object.member(name)
      guard case .null = value, name == "size" || name == "first", let names = object.names,
        !names.contains(name)
      else { return value }
      return name == "size" ? .integer(Int64(names.count)) : names.first.map(object.pair) ?? .null
    case (.string(let text), "size"): return .integer(Int64(text.count))
    case (.string(let text), "first"): return .string(String(text.prefix(1)))
    case (.string(let text), "last"): return .string(String(text.suffix(1)))
    case (.array(let elements), "size"): return .integer(Int64(elements.count))
    case (.array(let elements), "first"): return elements.first ?? .null
    case (.array(let elements), "last"): return elements.last ?? .null
    case (.range(let low, let high), "first"): return low > high ? .null : .integer(low)
    case (.range(let low, let high), "last"): return low > high ? .null : .integer(high)
    case (.range, "size"): return .integer(Int64(clamping: elementCount))
    default: return .null
    }
  }

  /// The value of `[key]`: a member, or an element by its index, which counts from the end if it is negative.
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
