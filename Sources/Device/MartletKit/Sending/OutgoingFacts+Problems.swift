import PushPayload

extension OutgoingFacts {
  /// The problem of a fact that an answer names in `dropped`.
  ///
  /// - Parameters:
  ///   - path: The JSON path, such as `$.events[3].date`.
  ///   - reason: The server's reason.
  /// - Returns: The problem; `nil` if the path is not that of a fact.
  func problem(at path: String, _ reason: String) -> PushStatus.Problem? {
    for kind in kinds where path.hasPrefix("$.\(kind.rawValue)[") {
      let rest = path.dropFirst(kind.rawValue.count + 3)
      guard let index = Int(rest.prefix { $0 != "]" }), self[kind].indices.contains(index) else {
        return nil
      }
      // `date must be …`: the position in the request means nothing to an app.
      let member = rest.drop { $0 != "]" }.dropFirst(2)
      return self[kind][index].problem(
        as: kind, member.isEmpty ? reason : "\(member) \(reason)")
    }
    return nil
  }
}

extension StoredFact {
  /// The problem of this fact, which is dropped.
  func problem(as kind: RetryTable.Kind, _ reason: String) -> PushStatus.Problem {
    let name = json["name"]?.string ?? json["event"]?.string ?? id
    return PushStatus.Problem(path: "\(kind.rawValue).\(name)", reason: reason)
  }
}
