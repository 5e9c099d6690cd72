import PushPayload
import PushStore

/// The `name` and `labels` by which a team finds a notification or a campaign again.
struct SendNaming: Sendable {
  /// The largest number of characters in a name.
  static let nameLimit = 255
  /// The largest number of labels, and of characters in each.
  static let labelCount = 20
  static let labelLimit = 64

  var name: String?
  var labels: [String]

  init(_ field: BodyValue) throws(RequestError) {
    name = try field["name"].map { value throws(RequestError) in try Self.name(value) }
    labels = try field["labels"].map { value throws(RequestError) in try Self.labels(value) } ?? []
  }

  static func name(_ field: BodyValue) throws(RequestError) -> String {
    let name = try field.string()
    if let problem = DisplayText.problem(name, upTo: nameLimit) {
      throw .refused(field.path, problem)
    }
    return name
  }

  private static func labels(_ field: BodyValue) throws(RequestError) -> [String] {
    let elements = try field.elements()
    guard elements.count <= labelCount else {
      throw .refused(field.path, "must have at most \(labelCount) labels")
    }
    var labels: [String] = []
    for element in elements {
      let label = try element.string()
      guard (1...labelLimit).contains(label.count),
        !label.unicodeScalars.contains(where: { $0.value < 32 })
      else {
        throw .refused(
          element.path, "must be 1 to \(labelLimit) characters without control characters")
      }
      if let problem = DisplayText.hiddenPart(of: label, upTo: labelLimit) {
        throw .refused(element.path, problem)
      }
      if !labels.contains(label) { labels.append(label) }
    }
    return labels
  }
}

extension Call {
  /// The largest number of characters in `q`.
  static let queryLimit = 200

  /// The text to search for, in the query's `q`.
  func searchText() throws(RequestError) -> String {
    let text = query("q") ?? ""
    guard text.count <= Self.queryLimit else {
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
