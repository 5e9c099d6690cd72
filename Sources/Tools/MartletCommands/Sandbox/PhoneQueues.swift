import APNsSandbox

/// The queues of pushes for simulated phones.
///
/// Like iOS, a phone shows one push after the other, and a limited number of phones is busy at the same time.
struct PhoneQueues {
  /// The maximum number of busy phones; each holds media in memory while its card is drawn.
  static let phonesAtOnce = 8
  /// The maximum number of waiting pushes.
  static let limit = 10_000

  /// The waiting pushes by the phone's token; a busy phone has an entry even if it is empty.
  private var queues: [String: [SandboxDelivery]] = [:]
  /// The tokens of idle phones with waiting pushes, with the longest waiting first.
  private var ready: [String] = []
  private var busyCount = 0
  private(set) var waitingCount = 0

  var isEmpty: Bool { queues.isEmpty }

  /// Adds a push to its phone's queue; `false` if too many pushes wait.
  mutating func add(_ delivery: SandboxDelivery) -> Bool {
    guard waitingCount < Self.limit else { return false }
    waitingCount += 1
    let token = delivery.token.lowercased()
    if queues[token] == nil { ready.append(token) }
    queues[token, default: []].append(delivery)
    return true
  }

  /// Removes the next push of an idle phone; ``finished(_:)`` must be called after it was shown.
  mutating func next() -> SandboxDelivery? {
    guard busyCount < Self.phonesAtOnce, !ready.isEmpty else { return nil }
    let token = ready.removeFirst()
    busyCount += 1
    waitingCount -= 1
    return queues[token]?.removeFirst()
  }

  /// Makes a phone idle again after a push that ``next()`` returned.
  mutating func finished(_ delivery: SandboxDelivery) {
    busyCount -= 1
    let token = delivery.token.lowercased()
    if queues[token]?.isEmpty ?? true { queues[token] = nil } else { ready.append(token) }
  }
}
