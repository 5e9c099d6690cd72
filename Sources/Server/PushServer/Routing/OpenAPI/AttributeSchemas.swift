import PushPayload

/// The schemas of custom attributes in answers and in requests, one for each type.
enum AttributeSchemas {
  static let all: [String: Schema] = [
    "Attribute": .one(of: types.map { .named("\($0)Attribute") }),
    "StringAttribute": attribute("string", .string(0...255)),
    "IntegerAttribute": attribute("integer", .number(-2_147_483_647...2_147_483_647)),
    "FloatAttribute": attribute("float", .number),
    "DateAttribute": attribute("date", .string.described("ISO 8601, in UTC")),
    "BooleanAttribute": .object(["type": .constant("boolean"), "value": .boolean]),
    "NewAttribute": .one(of: types.map { .named("New\($0)Attribute") })
      .described("null, or a value of null, removes the attribute"),
    "NewStringAttribute": newAttribute("string", .string(0...255)),
    "NewIntegerAttribute": newAttribute("integer", .number(-2_147_483_647...2_147_483_647)),
    "NewFloatAttribute": newAttribute("float", .number(-floatLimit...floatLimit)),
    "NewDateAttribute": newAttribute("date", .date),
    "NewBooleanAttribute": .open(["type": .constant("boolean"), "value": .boolean.nullable]),
  ]

  private static let types = ["String", "Integer", "Float", "Date", "Boolean"]
  private static let floatLimit = Double(Float.greatestFiniteMagnitude)

  private static func newAttribute(_ type: String, _ value: Schema) -> Schema {
    .open([
      "type": .constant(type),
      "value": .one(of: [value, .array(value, 0...100), Schema(["type": "null"])]),
    ])
  }

  private static func attribute(_ type: String, _ value: Schema) -> Schema {
    .object(["type": .constant(type), "value": .one(of: [value, .array(value, 0...100)])])
  }
}
