package import PushPayload

extension JSONValue {
  /// The elements of an array of texts; `nil` if the value is not an array of texts.
  package var texts: [String]? { array?.all(\.string) }

  /// Whether a member is absent, null or accepted by `read`.
  func mayHave<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Bool {
    guard let member = self[name], member != .null else { return true }
    return read(member) != nil
  }

  /// The members of an object; `nil` if the value is not an object or has a member that is not in `known`.
  ///
  /// A member that this version does not know may change the meaning of the others.
  func members(among known: Set<String>) -> [String: JSONValue]? {
    guard let members = object, members.keys.allSatisfy(known.contains) else { return nil }
    return members
  }
}

extension Sequence {
  /// The elements after `read`; `nil` if one of them cannot be read.
  package func all<Value>(_ read: (Element) -> Value?) -> [Value]? {
    var values: [Value] = []
    for element in self {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension Dictionary {
  /// The values after `read`; `nil` if one of them cannot be read.
  package func allValues<New>(_ read: (Value) -> New?) -> [Key: New]? {
    var values: [Key: New] = [:]
    for (key, value) in self {
      guard let value = read(value) else { return nil }
      values[key] = value
    }
    return values
  }
}
