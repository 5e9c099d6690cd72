/// The queue of passwords that wait to be hashed, as a value.
///
/// Known browsers go first. The networks of the others take turns. If the queue is full, an entry of a network with
/// fewer entries replaces the last entry of the network with the most.
struct PasswordLine {
  struct Entry: Equatable {
    var id: Int
    var caller: PasswordWork.Caller
    /// The round in which the entry is served; each network has one entry in a round.
    fileprivate var round: Int
  }

  /// The result of adding an entry.
  enum Verdict: Equatable {
    case taken
    /// The entry is added, and the one with this id is removed.
    case takenInPlace(of: Int)
    case refused
  }

  /// The most entries of known browsers, and also the most entries of all others.
  let limit: Int
  private var known: [Entry] = []
  private var others: [Entry] = []
  /// The round that is served.
  private var round = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { known.count + others.count }

  mutating func add(_ id: Int, of caller: PasswordWork.Caller) -> Verdict {
    guard !caller.isKnown else {
      guard known.count < limit else { return .refused }
      known.append(Entry(id: id, caller: caller, round: 0))
      return .taken
    }
    let own = count(of: caller.network)
    var verdict = Verdict.taken
    if others.count >= limit {
      let crowded = others.map { count(of: $0.caller.network) }.max() ?? 0
      guard own + 1 < crowded,
        let place = others.lastIndex(where: { count(of: $0.caller.network) == crowded })
      else { return .refused }
      verdict = .takenInPlace(of: others.remove(at: place).id)
    }
    others.append(Entry(id: id, caller: caller, round: round + own))
    return verdict
  }

  /// Removes the entry whose turn it is; `nil` if the queue is empty.
  mutating func next() -> Int? {
    if !known.isEmpty { return known.removeFirst().id }
    guard let first = others.map(\.round).min(),
      let place = others.firstIndex(where: { $0.round == first })
    else { return nil }
    round = first
    return others.remove(at: place).id
  }

  private func count(of network: String) -> Int {
    others.count { $0.caller.network == network }
  }
}
