/// The line of passwords that wait to be hashed, as a value.
///
/// Known browsers go first. Of the others each network has its turn, and where the line is full, a network with fewer
/// takes the place of the last of the one with most.
struct PasswordLine {
  struct Entry: Equatable {
    var id: Int
    var caller: PasswordWork.Caller
    /// The turn of the network in which the entry is served.
    fileprivate var round: Int
  }

  /// What becomes of an entry that comes.
  enum Verdict: Equatable {
    case taken
    /// The entry is taken, and the one with this id leaves.
    case takenInPlace(of: Int)
    case refused
  }

  /// The most entries of known browsers, and the most of all others.
  let limit: Int
  private var known: [Entry] = []
  private var others: [Entry] = []
  /// The turn that is served.
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

  /// Removes the entry whose turn it is; `nil` where none waits.
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
