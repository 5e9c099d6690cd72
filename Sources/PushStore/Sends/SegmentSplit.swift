/// How batches are cut off a due segment: how many now, and when to come back.
///
/// Only a bounded number is cut at a time, and the rest of the segment then stands behind other
/// sends that are due, so that none waits for the end of a large one. A throttled send is cut as its
/// rate allows; what was missed while nobody worked is not caught up with in a burst.
package struct SegmentSplit: Hashable, Sendable {
  package static let batchLimit = 32
  /// How late a throttled segment may be and still catch up.
  private static let slack = Duration.seconds(1)

  /// The ranks of each batch's devices in the segment.
  package private(set) var batches: [Range<Int>] = []
  /// When the next cut is due; `nil` where nothing is left.
  package private(set) var nextDue: Timestamp?

  package var taken: Int { batches.last?.upperBound ?? 0 }

  package init(
    taken: Int, of count: Int, dueAt: Timestamp, throttlePerSecond: Int?, at now: Timestamp
  ) {
    let size = min(Batch.limit, max(1, throttlePerSecond ?? Batch.limit))
    let gap = throttlePerSecond.map { Duration.milliseconds((size * 1000 + $0 - 1) / max(1, $0)) }
    let earliest = now - Self.slack
    var due = gap == nil ? dueAt : max(dueAt, earliest)
    var rank = taken
    while rank < count, batches.count < Self.batchLimit, due <= now {
      let end = min(rank + size, count)
      batches.append(rank..<end)
      rank = end
      if let gap { due = due + gap }
    }
    if rank < count { nextDue = gap == nil ? now : due }
  }
}

extension Timestamp {
  fileprivate static func - (time: Timestamp, duration: Duration) -> Timestamp {
    time + (.zero - duration)
  }
}
