package import PushPayload

extension Audience {
  /// The stored JSON of the conditions: a list of filters or, with other parts, an object with `all`, `any` and
  /// `except`.
  package var storedConditions: JSONValue {
    let all = JSONValue.array(filters.map(\.stored))
    guard !any.isEmpty || !except.isEmpty else { return all }
    return [
      "all": all, "any": .array(any.map(\.stored)), "except": .array(except.map(\.stored)),
    ]
  }

  /// Sets the conditions from ``storedConditions``.
  ///
  /// - Returns: `false` if a part is unknown. Without that part, the audience would have different devices.
  package mutating func apply(storedConditions: JSONValue) -> Bool {
    if let list = storedConditions.array {
      guard let filters = list.all(Filter.init(stored:)) else { return false }
      self.filters = filters
      return true
    }
    let names: Set = ["all", "any", "except"]
    guard let members = storedConditions.members(among: names), members.count == names.count,
      let filters = members["all"]?.array?.all(Filter.init(stored:)),
      let any = members["any"]?.array?.all(Part.init(stored:)),
      let except = members["except"]?.array?.all(Part.init(stored:))
    else { return false }
    (self.filters, self.any, self.except) = (filters, any, except)
    return true
  }
}

extension Audience.Part {
  /// The stored JSON, in the API's form.
  package var stored: JSONValue {
    switch self {
    case .filters(let filters): return .array(filters.map(\.stored))
    case .audience(let id): return .string(id)
    case .received(let send, let opened):
      var members: [String: JSONValue] = ["received": .string(send)]
      if let opened { members["opened"] = .bool(opened) }
      return .object(members)
    }
  }

  /// Reads a stored part; `nil` if the part or one of its filters is unknown.
  package init?(stored: JSONValue) {
    if let id = stored.string {
      self = .audience(id)
    } else if let filters = stored.array {
      guard let known = filters.all(Filter.init(stored:)) else { return nil }
      self = .filters(known)
    } else if let members = stored.members(among: ["received", "opened"]),
      let send = members["received"]?.string, stored.mayHave("opened", \.bool)
    {
      self = .received(send: send, opened: members["opened"]?.bool)
    } else {
      return nil
    }
  }
}
