import PushModel
import PushPayload

/// A group of alternatives or exclusions: conditions that all hold, an audience, or the receivers of a notification.
enum ConditionGroup: Sendable, Equatable {
  case conditions([ConditionRow])
  case audience(String)
  case received(send: String, opened: Bool?)

  /// The kind of a group, under the name that the form submits.
  enum Kind: String, Sendable { case conditions, audience, received }

  var kind: Kind {
    switch self {
    case .conditions: .conditions
    case .audience: .audience
    case .received: .received
    }
  }

  /// A new group, with nothing chosen.
  init(_ kind: Kind) {
    switch kind {
    case .conditions: self = .conditions([ConditionRow()])
    case .audience: self = .audience("")
    case .received: self = .received(send: "", opened: nil)
    }
  }

  init(_ part: Audience.Part) {
    switch part {
    case .filters(let filters): self = .conditions(filters.map { ConditionRow($0) })
    case .audience(let id): self = .audience(id)
    case .received(let send, let opened): self = .received(send: send, opened: opened)
    }
  }

  /// Whether nothing is chosen in it.
  var isEmpty: Bool {
    switch self {
    case .conditions(let rows): rows.allSatisfy(\.isEmpty)
    case .audience(let id): id.isEmpty
    case .received(let send, _): send.isEmpty
    }
  }

  /// The part of a target in the API's form.
  func json() throws(RequestError) -> JSONValue {
    switch self {
    case .conditions(let rows): return .array(try rows.json())
    case .audience(let id): return .string(id)
    case .received(let send, let opened):
      var members: [String: JSONValue] = ["received": .string(send)]
      if let opened { members["opened"] = .bool(opened) }
      return .object(members)
    }
  }
}

extension [ConditionRow] {
  /// The filters of the rows that have a field.
  func json() throws(RequestError) -> [JSONValue] {
    var filters: [JSONValue] = []
    for row in self where !row.isEmpty { filters.append(try row.json()) }
    return filters
  }
}
