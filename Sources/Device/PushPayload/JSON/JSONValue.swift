/// A JSON value.
///
/// ```swift
/// let payload = try JSONValue(parsing: #"{"aps": {"badge": 3}, "tags": ["rain", "wind"]}"#)
/// print(payload["aps"]?["badge"]?.integer ?? 0)  // 3
/// print(payload["tags[1]" as PayloadPath]?.string ?? "")  // wind
/// ```
///
/// A payload may hold anything under any key, so read it with the typed accessors such as ``string`` and
/// ``object``: they are `nil` if the value has another type, and never trap. There is no `nil` literal, because it would
/// create `.null` when an absent value is meant.
public enum JSONValue: Hashable, Sendable {
  /// The value `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits in 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; the order of its members is not kept.
  case object([String: JSONValue])
}

extension JSONValue {
  /// The string, if this is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The Boolean, if this is `true` or `false`; numbers are not Booleans.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements, if this is an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members, if this is an object.
  public var object: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The whole number, if this is a number without a fraction that fits in 64 bits.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number, if this is one.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// Whether this is JSON `null`, which dialects treat as an absent key.
  public var isNull: Bool { self == .null }

  /// The member of an object; `nil` if this is not an object or has no such key.
  ///
  /// - Parameter key: The member's name. Dots in it have no meaning; a ``PayloadPath`` has a subscript of its own.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The name of the value's JSON type with its article, as error messages use it: `a string`.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: Codable {
  /// Decodes any JSON value; whole numbers that fit in 64 bits become ``integer(_:)``.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if the input is not valid JSON.
  public init(from decoder: any Decoder) throws {
    // The frequent types first, because each failed attempt makes an error with the whole coding path.
    if let container = try? decoder.singleValueContainer(), container.decodeNil() {
      self = .null
    } else if let value = try? decoder.singleValueContainer().decode(String.self) {
      self = .string(value)
    } else if let container = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: JSONValue] = [:]
      members.reserveCapacity(container.allKeys.count)
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .integer(value)
      } else {
        self = .number(try container.decode(Double.self))
      }
    }
  }

  /// Encodes the value as it is.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: AnyKey.self)
      for (key, value) in members { try container.encode(value, forKey: AnyKey(key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .integer(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .number(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .string(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ string: String) { stringValue = string }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Makes an object; of a repeated key the last value counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
