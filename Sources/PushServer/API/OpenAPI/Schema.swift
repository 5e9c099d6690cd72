import PushPayload

/// A JSON Schema in the dialect of OpenAPI 3.1 (draft 2020-12).
struct Schema: Sendable {
  var json: JSONValue
  /// Whether an object may lack the member.
  var isOptional = false

  init(_ json: JSONValue) { self.json = json }

  /// Any value.
  static let any = Schema([:])
  static let boolean = Schema(["type": "boolean"])
  static let string = Schema(["type": "string"])
  /// ISO 8601, as every answer writes it.
  static let time = Schema(["type": "string", "format": "date-time"])
  /// ISO 8601, as a request may write it.
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

  /// One text.
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
    var schema = members.isEmpty ? Schema(["type": "object"]) : listing(members)
    schema["additionalProperties"] = false
    return schema
  }

  /// An object of a request, in which `null` means absent and other members are ignored.
  static func open(_ members: KeyValuePairs<String, Schema>) -> Schema {
    open(Array(members))
  }

  private static func open(_ members: [(key: String, value: Schema)]) -> Schema {
    listing(
      members.map { ($0.key, $0.value.isOptional ? $0.value.nullable.optional : $0.value) })
  }

  /// An object of a request that refuses other members.
  static func closed(_ members: KeyValuePairs<String, Schema>) -> Schema {
    closed(Array(members))
  }

  static func closed(_ members: [(key: String, value: Schema)]) -> Schema {
    var schema = open(members)
    schema["additionalProperties"] = false
    return schema
  }

  private static func listing(_ members: [(key: String, value: Schema)]) -> Schema {
    let properties = members.map { ($0.key, $0.value.json) }
    let required = members.filter { !$0.value.isOptional }.map { JSONValue.string($0.key) }
    var schema = Schema([
      "type": "object", "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
    ])
    if !required.isEmpty { schema["required"] = .array(required) }
    return schema
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

  /// A value of exactly one of the schemas, of which generators of clients make a union.
  static func one(of schemas: [Schema]) -> Schema {
    Schema(["oneOf": .array(schemas.map(\.json))])
  }

  /// A reference to one of ``OpenAPIDocument/schemas``.
  static func named(_ name: String) -> Schema {
    Schema(["$ref": .string("#/components/schemas/\(name)")])
  }

  /// The same schema for a member that may be absent.
  var optional: Schema {
    var schema = self
    schema.isOptional = true
    return schema
  }

  /// The same schema, or `null`.
  var nullable: Schema {
    if json["type"]?.array?.contains("null") == true { return self }
    guard let type = json["type"]?.string, json["enum"] == nil else {
      return Schema(["anyOf": [json, ["type": "null"]]])
    }
    var schema = self
    schema["type"] = [.string(type), "null"]
    return schema
  }

  /// The same schema with a description.
  func described(_ text: String) -> Schema {
    var schema = self
    schema["description"] = .string(text)
    return schema
  }

  /// The same object, which must have some whole numbers where another member has a certain text.
  func needing(_ numbers: [String], where member: String, is text: String) -> Schema {
    var schema = self
    schema["if"] = [
      "properties": .object([member: ["const": .string(text)]]), "required": [.string(member)],
    ]
    schema["then"] = [
      "properties": .object(
        Dictionary(uniqueKeysWithValues: numbers.map { ($0, ["type": "integer"]) })),
      "required": .array(numbers.map { .string($0) }),
    ]
    return schema
  }

  /// The same object, whose other members have a schema.
  func others(_ value: Schema) -> Schema {
    var schema = self
    schema["additionalProperties"] = value.json
    return schema
  }

  /// The same object, which may have other members.
  var extensible: Schema {
    var schema = self
    schema["additionalProperties"] = true
    return schema
  }

  /// The same object, which must have at least one member.
  var nonEmpty: Schema {
    var schema = self
    schema["minProperties"] = 1
    return schema
  }

  /// The same schema with an example of a valid value.
  func example(_ value: JSONValue) -> Schema {
    var schema = self
    schema["examples"] = [value]
    return schema
  }

  private subscript(key: String) -> JSONValue? {
    get { json[key] }
    set {
      var members = json.object ?? [:]
      members[key] = newValue
      json = .object(members)
    }
  }
}
