import PushModel
import PushPayload

extension Filter {
  /// The filter in words, whether or not the builder can show it.
  var words: String {
    let row = ConditionRow(self)
    guard row.isKept else { return row.words }
    let values = criteria.prefix(Self.shownCriteria).map(\.words)
    let others = criteria.count - values.count
    let more = others > 0 ? " or \(others) more" : ""
    return
      "\(field.title) \(isNegated ? "is not " : "is ")\(values.joined(separator: " or "))\(more)"
  }

  private static let shownCriteria = 5
}

extension Filter.Criterion {
  fileprivate var words: String {
    switch self {
    case .equals(let value): value.shown
    case .exists: "set"
    case .within(let circle):
      "within \(JSONValue.number(circle.radius).shown) m of \(circle.latitude), \(circle.longitude)"
    case .range(let bounds):
      bounds.map { "\($0.comparison.words) \($0.words)" }.joined(separator: " and ")
    }
  }
}

extension Filter.Bound {
  fileprivate var words: String {
    guard let date = value.string.flatMap({ RelativeDate($0) }) else { return value.shown }
    guard date.count != 0 else { return "now" }
    let time = "\(abs(date.count)) \(date.unit.rawValue)\(abs(date.count) == 1 ? "" : "s")"
    return date.count < 0 ? "\(time) ago" : "\(time) from now"
  }
}

extension Filter.Bound.Comparison {
  var words: String {
    switch self {
    case .gte: "at least"
    case .lte: "at most"
    case .gt: "more than"
    case .lt: "less than"
    }
  }
}

extension Audience {
  /// The most parts and filters that are named.
  private static let shownParts = 6

  /// The audience in words, with the names that the app's audiences and notifications have now.
  func words(in app: String, _ store: any PushStore) async throws(StoreError) -> String {
    var names: [String: String] = [:]
    for part in any + except {
      switch part {
      case .filters: continue
      case .audience(let id): names[id] = try await store.audience(id, app: app)?.name
      case .received(let send, _):
        names[send] = try await ConditionChoices.name(ofSend: send, app: app, store)
      }
    }
    return words(naming: names)
  }

  /// The audience in words, with the names of the audiences that it refers to.
  func words(naming names: [String: String]) -> String {
    func list(_ parts: [String], _ word: String) -> String {
      let shown = parts.prefix(Self.shownParts)
      let others = parts.count - shown.count
      return (shown + (others > 0 ? ["\(others) more"] : [])).joined(separator: word)
    }
    func words(_ part: Part) -> String {
      switch part {
      case .filters(let filters): list(filters.map(\.words), " and ")
      case .audience(let id): "in “\(names[id] ?? id)”"
      case .received(let send, let opened):
        "received \(names[send].map { "“\($0)”" } ?? send)"
          + (opened.map { $0 ? " and opened it" : " and did not open it" } ?? "")
      }
    }
    var parts: [String] = []
    if !filters.isEmpty { parts.append(list(filters.map(\.words), " and ")) }
    if !any.isEmpty {
      let words = list(any.map(words), ", or ")
      parts.append(filters.isEmpty ? words : "either \(words)")
    }
    let included = parts.isEmpty ? "All devices" : parts.joined(separator: ", and ")
    return except.isEmpty ? included : "\(included), but not \(list(except.map(words), ", nor "))"
  }
}
