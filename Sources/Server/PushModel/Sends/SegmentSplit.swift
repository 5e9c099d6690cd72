/// The batches to split off a due segment now, and the time at which the next batches are due.
///
/// The number of batches is limited. The rest of the segment is due after the other due sends, so that no send waits
/// for the end of a large one. A throttled send is split at its rate. If no node was running for a while, it does not
/// catch up in a burst.
package struct SegmentSplit: Hashable, Sendable {
  /// The most batches of one split: as many as a node sends at once by default, so that a split is a short write and
  /// the app's other sends come next.
  package static let batchLimit = 4
  /// The longest time between two batches of a throttled segment that is being sent.
  package static let longestGap = Duration.seconds(120)
  /// The longest delay that a throttled segment catches up on.
  private static let slack = Duration.seconds(1)

  /// The ranks of each batch's devices in the segment.
  package private(set) var batches: [Range<Int>] = []
  /// The time at which the segment is due again; `nil` if all its devices are in batches.
  package private(set) var nextDue: Timestamp?

  /// The time at which the following part is due, if all devices of this part are in batches.
  package private(set) var followingDue: Timestamp

  /// The number of the segment's devices in batches after the split.
  package var taken: Int { batches.last?.upperBound ?? 0 }

  /// Splits a segment of `count` devices, the first `taken` of which are in batches already.
  ///
  /// `limit` is the most devices of a batch. `sharers` is the number of the send's active segments, which share its
  /// rate.
  package init(
    taken: Int, of count: Int, limit: Int = Batch.limit, dueAt: Timestamp,
    throttlePerSecond: Int?, sharers: Int = 1, at now: Timestamp
  ) {
    let sharers = max(1, sharers)
    let size = min(limit, max(1, (throttlePerSecond ?? limit) / sharers))
    let gap = throttlePerSecond.map {
      min(
        Self.longestGap, Duration.milliseconds((size * sharers * 1000 + $0 - 1) / max(1, $0)))
    }
    let earliest = now - Self.slack
    var due = gap == nil ? dueAt : max(dueAt, earliest)
    var rank = taken
    while rank < count, batches.count < Self.batchLimit, due <= now {
      let end = min(rank + size, count)
      batches.append(rank..<end)
      rank = end
      if let gap { due = due + gap }
    }
    followingDue = gap == nil ? now : due
    if rank < count { nextDue = followingDue }
  }
}

extension Segment {
  /// The most devices in a part; a split reads one part, however many devices the segment has.
  package static let partLimit = 1_000_000

  /// The segment's devices in consecutive parts.
  package var parts: [DeviceNumbers] {
    stride(from: 0, to: devices.count, by: Self.partLimit).map { start in
      devices.count <= Self.partLimit
        ? devices : devices.slice(from: start, limit: Self.partLimit)
    }
  }

  /// The due time of a part that follows another one: practically never, until the other part ends.
  package static let followerDue = Timestamp(milliseconds: 253_402_300_799_000)
  /// The value of `taken` for a part that follows another one.
  package static let followerTaken: Int64 = -1
}

extension Timestamp {
  fileprivate static func - (time: Timestamp, duration: Duration) -> Timestamp {
    time + (.zero - duration)
  }
}
