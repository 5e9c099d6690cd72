import PushPayload

/// Conditions on the members of an object.
///
/// Client generators ignore these keywords: the object stays one type, with the members of its properties.
extension Schema {
  /// The same object, which must have some whole numbers if another member has a certain text.
  func needing(_ numbers: [String], where member: String, is text: String) -> Schema {
    setting(
      "if",
      to: [
        "properties": .object([member: ["const": .string(text)]]), "required": [.string(member)],
      ]
    ).setting(
      "then",
      to: [
        "properties": .object(
          Dictionary(uniqueKeysWithValues: numbers.map { ($0, ["type": "integer"]) })),
        "required": .array(numbers.map { .string($0) }),
      ])
  }

  /// The same object, in which the elements of `array` have the schema of the first pattern that the member
  /// `text` matches.
  func elements(
    of array: String, by text: String, _ cases: some Collection<(pattern: String, schema: Schema)>
  ) -> Schema {
    guard let first = cases.first else { return self }
    let rest = Schema([:]).elements(of: array, by: text, cases.dropFirst())
    let conditional = setting(
      "if", to: ["properties": .object([text: ["pattern": .string(first.pattern)]])]
    ).setting("then", to: ["properties": .object([array: ["items": first.schema.json]])])
    return cases.count == 1 ? conditional : conditional.setting("else", to: rest.json)
  }

  /// The same object, in which all of `names` are `null` if `member` is a string, and all other members are `null` if it is not.
  func excluding(_ names: [String], where member: String) -> Schema {
    let isText: JSONValue = [
      "required": [.string(member)], "properties": .object([member: ["type": "string"]]),
    ]
    let isNull: JSONValue = ["type": "null"]
    let theirs = names.map { ($0, isNull) }
    return setting("if", to: isText)
      .setting("then", to: ["properties": .object(Dictionary(uniqueKeysWithValues: theirs))])
      .setting("else", to: Self.onlyValues(of: names))
  }

  /// The same object, in which each of some members, where it is not `null`, must be the only one that is not.
  func alone(_ members: [String]) -> Schema {
    let rules = members.map { member -> (String, JSONValue) in
      let isNull: JSONValue = ["properties": .object([member: ["type": "null"]])]
      return (member, ["anyOf": [isNull, Self.onlyValues(of: [member])]])
    }
    return setting(
      "dependentSchemas", to: .object(Dictionary(uniqueKeysWithValues: rules)))
  }

  /// The same object, in which at least one of the known members is not `null`.
  var withValue: Schema {
    let names = json["properties"]?.object?.keys.sorted() ?? []
    let isNull: JSONValue = ["type": "null"]
    let allNull = Dictionary(uniqueKeysWithValues: names.map { ($0, isNull) })
    return setting("not", to: ["properties": .object(allNull)])
  }

  /// The same object, which has either the array `array` or the member `other`.
  func either(_ array: String, or other: String) -> Schema {
    let isNull: JSONValue = ["type": "null"]
    return setting(
      "if",
      to: ["required": [.string(array)], "properties": .object([array: ["type": "array"]])]
    ).setting("then", to: ["properties": .object([other: isNull])])
      .setting(
        "else",
        to: ["required": [.string(other)], "properties": .object([other: ["not": isNull]])])
  }

  /// Objects in which only these members are not `null`.
  private static func onlyValues(of names: [String]) -> JSONValue {
    let any: JSONValue = [:]
    return [
      "properties": .object(Dictionary(uniqueKeysWithValues: names.map { ($0, any) })),
      "additionalProperties": ["type": "null"],
    ]
  }
}
