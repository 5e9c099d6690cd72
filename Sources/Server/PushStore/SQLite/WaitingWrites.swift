/// The writes that wait for a transaction, in two queues by the priority of their tasks.
///
/// Groups of both take turns, so that neither waits for more than one group of the other. A group of low priority is a
/// single write, because each may take milliseconds.
struct WaitingWrites<Write> {
  private var usual: [Write] = []
  private var low: [Write] = []
  private var wasUsual = false

  var count: Int { usual.count + low.count }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ write: Write, isLow: Bool) {
    if isLow { low.append(write) } else { usual.append(write) }
  }

  /// Takes the writes of the next transaction, at most `limit`.
  mutating func next(upTo limit: Int) -> (writes: [Write], areLow: Bool) {
    wasUsual = !usual.isEmpty && (low.isEmpty || !wasUsual)
    guard wasUsual else { return (low.isEmpty ? [] : [low.removeFirst()], true) }
    let group = Array(usual.prefix(limit))
    usual.removeFirst(group.count)
    return (group, false)
  }
}

extension Task where Success == Never, Failure == Never {
  /// Whether the current task waits for others, as the batches of campaigns do.
  static var hasLowPriority: Bool {
    (TaskPriority.background...TaskPriority.utility).contains(currentPriority)
  }
}
