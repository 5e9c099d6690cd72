/// Timers by their deadline: a binary heap, as thousands of the same length are each the latest when made.
struct TimerQueue {
  struct Entry {
    let id: UInt64
    let deadline: ContinuousClock.Instant
    let handler: @Sendable () -> Void

    /// Of two that are due together, the one that was made first.
    func isBefore(_ other: Entry) -> Bool {
      deadline == other.deadline ? id < other.id : deadline < other.deadline
    }
  }

  /// Each before the two at twice its place, and one and two beyond.
  private var entries: [Entry] = []

  var nextDeadline: ContinuousClock.Instant? { entries.first?.deadline }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    rise(entries.count - 1)
  }

  mutating func remove(_ id: UInt64) {
    if let place = entries.firstIndex(where: { $0.id == id }) { remove(at: place) }
  }

  /// Takes off what is due, soonest first.
  mutating func popDue(at now: ContinuousClock.Instant) -> [@Sendable () -> Void] {
    var due: [@Sendable () -> Void] = []
    while let first = entries.first, first.deadline <= now {
      due.append(first.handler)
      remove(at: 0)
    }
    return due
  }

  private mutating func remove(at place: Int) {
    entries.swapAt(place, entries.count - 1)
    entries.removeLast()
    guard place < entries.count else { return }
    rise(place)
    sink(place)
  }

  private mutating func rise(_ place: Int) {
    var place = place
    while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(_ place: Int) {
    var place = place
    while true {
      var first = place
      let left = 2 * place + 1
      for child in left..<max(left, min(left + 2, entries.count))
      where entries[child].isBefore(entries[first]) {
        first = child
      }
      guard first != place else { return }
      entries.swapAt(place, first)
      place = first
    }
  }
}
