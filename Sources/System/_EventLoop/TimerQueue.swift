/// The timers of a loop by deadline, as a binary heap.
///
/// Of thousands with the same duration, each is the last one when it is inserted.
struct TimerQueue {
  struct Entry {
    let id: UInt64
    let deadline: ContinuousClock.Instant
    let handler: @Sendable () -> Void

    /// Whether the timer is due before another; if both have the same deadline, the one made first is.
    func isBefore(_ other: Entry) -> Bool {
      deadline == other.deadline ? id < other.id : deadline < other.deadline
    }
  }

  /// The heap: the entry at `n` is due before those at `2n + 1` and `2n + 2`.
  private var entries: [Entry] = []

  var nextDeadline: ContinuousClock.Instant? { entries.first?.deadline }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    siftUp(entries.count - 1)
  }

  mutating func remove(_ id: UInt64) {
    if let index = entries.firstIndex(where: { $0.id == id }) { remove(at: index) }
  }

  /// Removes the timer that is due first, and returns its handler; `nil` if none is due.
  mutating func popDue(at now: ContinuousClock.Instant) -> (@Sendable () -> Void)? {
    guard let first = entries.first, first.deadline <= now else { return nil }
    remove(at: 0)
    return first.handler
  }

  private mutating func remove(at index: Int) {
    entries.swapAt(index, entries.count - 1)
    entries.removeLast()
    guard index < entries.count else { return }
    siftUp(index)
    siftDown(index)
  }

  private mutating func siftUp(_ index: Int) {
    var index = index
    while index > 0, entries[index].isBefore(entries[(index - 1) / 2]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ index: Int) {
    var index = index
    while true {
      var first = index
      let left = 2 * index + 1
      for child in left..<max(left, min(left + 2, entries.count))
      where entries[child].isBefore(entries[first]) {
        first = child
      }
      guard first != index else { return }
      entries.swapAt(index, first)
      index = first
    }
  }
}
