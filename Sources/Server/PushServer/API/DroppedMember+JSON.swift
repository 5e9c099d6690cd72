import PushPayload

extension DroppedMember {
  var json: JSONValue { ["path": .string(path), "reason": .string(reason)] }
}

extension ValidElements {
  /// The answer of a route that stores the elements: an empty object if nothing was dropped.
  var answer: JSONValue {
    dropped.isEmpty ? [:] : ["dropped": .array(dropped.map(\.json))]
  }
}
