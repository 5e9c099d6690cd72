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

  /// The same object, which has none of `names` if it has a certain member, and otherwise only members of `names`.
  func excluding(_ names: [String], where member: String) -> Schema {
    let names: JSONValue = ["enum": .array(names.map(JSONValue.string))]
    return setting("if", to: ["required": [.string(member)]])
      .setting("then", to: ["propertyNames": ["not": names]])
      .setting("else", to: ["propertyNames": names])
  }

  /// The same object, in which each of some members must be the only member.
  func alone(_ members: [String]) -> Schema {
    setting(
      "dependentSchemas",
      to: .object(
        Dictionary(uniqueKeysWithValues: members.map { ($0, ["maxProperties": 1]) })))
  }
}
