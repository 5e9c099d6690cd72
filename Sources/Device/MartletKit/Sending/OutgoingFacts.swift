import PushPayload

/// The facts in one request, by their kinds.
struct OutgoingFacts: Hashable, Sendable {
  /// The most bytes of facts in one request, so that it stays below the server's limit of 1 MiB.
  static let maximumBytes = 512 * 1024

  private var facts: [RetryTable.Kind: [StoredFact]] = [:]
  private var bytes = 0

  var isEmpty: Bool { facts.values.allSatisfy(\.isEmpty) }
  var kinds: [RetryTable.Kind] { RetryTable.Kind.allCases.filter { !self[$0].isEmpty } }

  subscript(kind: RetryTable.Kind) -> [StoredFact] { facts[kind] ?? [] }

  /// Adds facts of a kind, as many as there is room for.
  mutating func add(_ more: [StoredFact], of kind: RetryTable.Kind) {
    for fact in more.prefix(RetryTable.limit(of: kind)) {
      let count = fact.json.serialized().count
      guard bytes + count <= Self.maximumBytes else { return }
      bytes += count
      facts[kind, default: []].append(fact)
    }
  }
}
