/// The search of a list in the query: a text, a state and a label.
extension RequestValues {
  /// The largest number of characters in `q`.
  static var queryLimit: Int { 200 }

  /// The text to search for, in the query's `q`.
  func searchText() throws(RequestError) -> String {
    let text = query("q") ?? ""
    guard text.unicodeScalars.count <= Self.queryLimit else {
      throw RequestError(.invalid, "q must be at most \(Self.queryLimit) characters")
    }
    return text
  }

  /// The state in the query; `nil` if the query names no state.
  func state<State: RawRepresentable & CaseIterable>(
    as type: State.Type
  ) throws(RequestError) -> State? where State.RawValue == String {
    guard let text = query("state"), !text.isEmpty else { return nil }
    guard let state = State(rawValue: text) else {
      let known = State.allCases.map(\.rawValue).joined(separator: ", ")
      throw RequestError(.invalid, "state must be one of \(known)")
    }
    return state
  }

  /// The label in the query; `nil` if the query names no label.
  var label: String? { query("label").flatMap { $0.isEmpty ? nil : $0 } }
}
