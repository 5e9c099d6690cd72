import APNsSandbox

/// The pushes that wait for simulated phones: a phone takes one after the other, as iOS does, and so many
/// phones are busy at once.
struct PhoneQueues {
  /// How many phones are busy at once, each of which holds media in memory while it draws.
  static let phonesAtOnce = 8
  /// How many pushes wait at most.
  static let limit = 10_000

  /// What waits, by the phone's token; a phone that is busy is here even with nothing that waits.
  private var queues: [String: [SandboxDelivery]] = [:]
  /// The phones that could begin, the one that waits longest first.
  private var ready: [String] = []
  private var busyCount = 0
  private(set) var waitingCount = 0

  var isEmpty: Bool { queues.isEmpty }

  /// Takes a push; false where too many wait.
  mutating func add(_ delivery: SandboxDelivery) -> Bool {
    guard waitingCount < Self.limit else { return false }
    waitingCount += 1
    let token = delivery.token.lowercased()
    if queues[token] == nil { ready.append(token) }
    queues[token, default: []].append(delivery)
    return true
  }

  /// The next push whose phone can begin; call ``finished(_:)`` when it has ended.
  mutating func next() -> SandboxDelivery? {
    guard busyCount < Self.phonesAtOnce, !ready.isEmpty else { return nil }
    let token = ready.removeFirst()
    busyCount += 1
    waitingCount -= 1
    return queues[token]?.removeFirst()
  }

  /// A phone is done with a push that ``next()`` gave.
  mutating func finished(_ delivery: SandboxDelivery) {
    busyCount -= 1
    let token = delivery.token.lowercased()
    if queues[token]?.isEmpty ?? true { queues[token] = nil } else { ready.append(token) }
  }
}
