import PushPayload

/// A JSON Schema in the dialect of OpenAPI 3.1 (draft 2020-12).
struct Schema: Sendable {
  let json: JSONValue
  /// Whether an object may lack the member.
  let isOptional: Bool

  init(_ json: JSONValue, isOptional: Bool = false) {
    self.json = json
    self.isOptional = isOptional
  }

  /// Any value.
  static let any = Schema([:])
  static let boolean = Schema(["type": "boolean"])
  static let string = Schema(["type": "string"])
  /// A time in ISO 8601, in the form of all answers.
  static let time = Schema(["type": "string", "format": "date-time"])
  /// A time in ISO 8601, in any form that a request may have.
  static let date = string(10...40, pattern: "^\(datePattern)$")
  static let datePattern =
    "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    + "([Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]{1,9})?)?"
    + "([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?)?"
  static let integer = Schema(["type": "integer"])
  /// A count: a whole number from 0.
  static let count = integer(0...(.max))
  static let number = Schema(["type": "number"])

  static func string(_ length: ClosedRange<Int>, pattern: String? = nil) -> Schema {
    var members: [String: JSONValue] = [
      "type": "string", "minLength": .integer(Int64(length.lowerBound)),
      "maxLength": .integer(Int64(length.upperBound)),
    ]
    members["pattern"] = pattern.map(JSONValue.string)
    return Schema(.object(members))
  }

  /// A text that must equal `text`.
  static func constant(_ text: String) -> Schema {
    Schema(["type": "string", "const": .string(text)])
  }

  static func oneOf(_ words: [String]) -> Schema {
    Schema(["type": "string", "enum": .array(words.map(JSONValue.string))])
  }

  static func integer(_ range: ClosedRange<Int64>) -> Schema {
    var members: [String: JSONValue] = [
      "type": "integer", "minimum": .integer(range.lowerBound),
    ]
    if range.upperBound < .max { members["maximum"] = .integer(range.upperBound) }
    return Schema(.object(members))
  }

  static func number(_ range: ClosedRange<Double>) -> Schema {
    Schema([
      "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
    ])
  }

  static func array(_ element: Schema, _ count: ClosedRange<Int>? = nil) -> Schema {
    var members: [String: JSONValue] = ["type": "array", "items": element.json]
    members["minItems"] = count.map { .integer(Int64($0.lowerBound)) }
    members["maxItems"] = count.map { .integer(Int64($0.upperBound)) }
    return Schema(.object(members))
  }

  /// An object of an answer, with these members and no others.
  static func object(_ members: KeyValuePairs<String, Schema>) -> Schema {
    object(Array(members))
  }

  static func object(_ members: [(key: String, value: Schema)]) -> Schema {
    (members.isEmpty ? Schema(["type": "object"]) : listing(members))
      .setting("additionalProperties", to: false)
  }

  /// An object of a request, in which `null` means absent and other members are ignored.
  static func open(_ members: KeyValuePairs<String, Schema>) -> Schema {
    open(Array(members))
  }

  static func open(_ members: [(key: String, value: Schema)]) -> Schema {
    listing(
      members.map { ($0.key, $0.value.isOptional ? $0.value.nullable.optional : $0.value) })
  }

  /// An object of a request that refuses other members.
  static func closed(_ members: KeyValuePairs<String, Schema>) -> Schema {
    closed(Array(members))
  }

  static func closed(_ members: [(key: String, value: Schema)]) -> Schema {
    open(members).setting("additionalProperties", to: false)
  }

  private static func listing(_ members: [(key: String, value: Schema)]) -> Schema {
    let properties = members.map { ($0.key, $0.value.json) }
    let required = members.filter { !$0.value.isOptional }.map { JSONValue.string($0.key) }
    let schema = Schema([
      "type": "object", "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
    ])
    return required.isEmpty ? schema : schema.setting("required", to: .array(required))
  }

  /// An object whose members have any names.
  static func map(of value: Schema) -> Schema {
    Schema(["type": "object", "additionalProperties": value.json])
  }

  /// An object whose members' names match a schema.
  static func named(_ names: Schema, _ value: Schema) -> Schema {
    Schema([
      "type": "object", "propertyNames": names.json, "additionalProperties": value.json,
    ])
  }

  /// A value that matches exactly one of the schemas, from which client generators make a union.
  ///
  /// Some generated clients ignore unknown members and look only at required ones. So each object needs a member
  /// that the other objects lack, or have with other values. An array must not have elements that are unions
  /// themselves.
  static func one(of schemas: [Schema]) -> Schema {
    Schema(["oneOf": .array(schemas.map(\.json))])
  }

  /// A reference to one of ``OpenAPIDocument/schemas``.
  static func named(_ name: String) -> Schema {
    Schema(["$ref": .string("#/components/schemas/\(name)")])
  }

  /// The same schema for a member that may be absent.
  var optional: Schema { Schema(json, isOptional: true) }

  /// The same schema, or `null`.
  var nullable: Schema {
    if json["type"]?.array?.contains("null") == true { return self }
    guard let type = json["type"]?.string, json["enum"] == nil else {
      return Schema(["anyOf": [json, ["type": "null"]]])
    }
    return setting("type", to: [.string(type), "null"])
  }

  /// The same schema with a description.
  func described(_ text: String) -> Schema { setting("description", to: .string(text)) }

  /// The same object, whose other members have a schema.
  func others(_ value: Schema) -> Schema { setting("additionalProperties", to: value.json) }

  /// The same object, which may have other members.
  var extensible: Schema { setting("additionalProperties", to: true) }

  /// The same object, which must have at least one member.
  var nonEmpty: Schema { setting("minProperties", to: 1) }

  /// The same schema with an example of a valid value.
  func example(_ value: JSONValue) -> Schema { examples([value]) }

  /// The same schema with examples of valid values.
  func examples(_ values: [JSONValue]) -> Schema { setting("examples", to: .array(values)) }

  /// The same schema with one member of its document set.
  ///
  /// It makes a new value, because Swift 6.3's optimizer releases a copy twice if it is changed in place as an
  /// element of a literal; see docs/contributing/decisions/0054.
  func setting(_ key: String, to value: JSONValue) -> Schema {
    var members = json.object ?? [:]
    members[key] = value
    return Schema(.object(members), isOptional: isOptional)
  }
}
