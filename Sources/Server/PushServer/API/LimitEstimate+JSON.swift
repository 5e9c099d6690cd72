import PushPayload

extension LimitEstimate {
  /// The members of a preview's answer.
  var members: [String: JSONValue] {
    ["quiet": .integer(Int64(quiet + withoutClock)), "capped": .integer(Int64(capped ?? 0))]
  }
}
