import PushPayload

extension JSONValue {
  /// Returns whether a value is valid by a schema, for the keywords that requests use.
  func admits(_ value: JSONValue, by schema: JSONValue) -> Bool {
    if let reference = schema["$ref"]?.string?.split(separator: "/").last {
      return admits(value, by: self["components"]?["schemas"]?[String(reference)] ?? false)
    }
    if let options = schema["oneOf"]?.array {
      return options.count { admits(value, by: $0) } == 1
    }
    if let options = schema["anyOf"]?.array {
      return options.contains { admits(value, by: $0) }
    }
    if let constant = schema["const"] { return value == constant }
    if let words = schema["enum"]?.array { return words.contains(value) }
    if let refused = schema["not"], admits(value, by: refused) { return false }
    if let condition = schema["if"] {
      let branch = schema[admits(value, by: condition) ? "then" : "else"]
      guard branch.map({ admits(value, by: $0) }) ?? true else { return false }
    }
    let types = schema["type"]?.array ?? schema["type"].map { [$0] } ?? []
    guard types.isEmpty || types.contains(where: { $0.string.map(value.isOf) ?? false }) else {
      return false
    }
    if let pattern = schema["pattern"]?.string, let text = value.string {
      guard let regex = try? Regex(pattern), text.contains(regex) else { return false }
    }
    if let low = schema["minimum"]?.number, let number = value.number, number < low { return false }
    if let high = schema["maximum"]?.number, let number = value.number, number > high {
      return false
    }
    if let elements = value.array {
      guard elements.count >= schema["minItems"]?.integer ?? 0 else { return false }
      return elements.allSatisfy { admits($0, by: schema["items"] ?? [:]) }
    }
    guard let members = value.object else { return true }
    let required = schema["required"]?.array?.compactMap(\.string) ?? []
    guard required.allSatisfy({ members[$0] != nil }),
      members.count >= schema["minProperties"]?.integer ?? 0,
      members.count <= schema["maxProperties"]?.integer ?? .max
    else { return false }
    return members.allSatisfy { name, member in
      let others = schema["additionalProperties"] ?? true
      guard admits(.string(name), by: schema["propertyNames"] ?? [:]),
        schema["dependentSchemas"]?[name].map({ admits(value, by: $0) }) ?? true
      else { return false }
      return schema["properties"]?[name].map { admits(member, by: $0) }
        ?? (others != false && (others == true || admits(member, by: others)))
    }
  }

  private func isOf(type: String) -> Bool {
    switch type {
    case "string": string != nil
    case "boolean": bool != nil
    case "integer": integer != nil
    case "number": number != nil
    case "array": array != nil
    case "object": object != nil
    default: isNull
    }
  }
}
