package import PushPayload

extension Audience {
  /// The JSON of the conditions that the store keeps: a list of filters, or an object with `all`,
  /// `any` and `except` where there is more than that.
  package var storedConditions: JSONValue {
    let all = JSONValue.array(filters.map(\.stored))
    guard !any.isEmpty || !except.isEmpty else { return all }
    return [
      "all": all, "any": .array(any.map(\.stored)), "except": .array(except.map(\.stored)),
    ]
  }

  /// Takes the conditions that ``storedConditions`` wrote.
  ///
  /// - Returns: `false` where a part of them is unknown; without it the audience would have other
  ///   devices.
  package mutating func apply(storedConditions: JSONValue) -> Bool {
    let all = (storedConditions.array ?? storedConditions["all"]?.array) ?? []
    filters = all.compactMap(Filter.init(stored:))
    let parts = ["any", "except"].map { storedConditions[$0]?.array ?? [] }
    any = parts[0].compactMap(Part.init(stored:))
    except = parts[1].compactMap(Part.init(stored:))
    return filters.count == all.count && any.count == parts[0].count
      && except.count == parts[1].count
  }
}

extension Audience.Part {
  /// The JSON that the store keeps: the API's form.
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

  /// Reads a stored part; `nil` where it, or one of its filters, is unknown.
  package init?(stored: JSONValue) {
    if let id = stored.string {
      self = .audience(id)
    } else if let filters = stored.array {
      let known = filters.compactMap(Filter.init(stored:))
      guard known.count == filters.count else { return nil }
      self = .filters(known)
    } else if let send = stored["received"]?.string {
      self = .received(send: send, opened: stored["opened"]?.bool)
    } else {
      return nil
    }
  }
}
