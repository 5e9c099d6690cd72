/// Timers by their deadline.
struct TimerQueue {
  struct Entry {
    let id: UInt64
    let deadline: ContinuousClock.Instant
    let handler: @Sendable () -> Void
  }

  /// Latest first, so that the next one is taken off the end.
  private var entries: [Entry] = []

  var nextDeadline: ContinuousClock.Instant? { entries.last?.deadline }

  mutating func insert(_ entry: Entry) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline > entry.deadline { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }

  mutating func remove(_ id: UInt64) {
    if let index = entries.firstIndex(where: { $0.id == id }) { entries.remove(at: index) }
  }

  /// Takes off what is due, soonest first.
  mutating func popDue(at now: ContinuousClock.Instant) -> [@Sendable () -> Void] {
    var due: [@Sendable () -> Void] = []
    while let last = entries.last, last.deadline <= now {
      due.append(last.handler)
      entries.removeLast()
    }
    return due
  }
}
