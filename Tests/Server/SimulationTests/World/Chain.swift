import Synchronization

/// Tasks of callers, of which those of one name follow each other.
final class Chain: Sendable {
  private let last = Mutex<[String: Task<Void, Never>]>([:])

  /// Runs a body after the earlier ones of its name.
  func run(_ name: String, _ body: @escaping @Sendable () async -> Void) {
    last.withLock { last in
      let earlier = last[name]
      last[name] = Task {
        await earlier?.value
        await body()
      }
    }
  }

  /// Waits until all bodies have ended.
  func end() async {
    for (_, task) in last.withLock(\.self).sorted(by: { $0.key < $1.key }) { await task.value }
  }
}
