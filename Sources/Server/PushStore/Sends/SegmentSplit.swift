/// The batches to split off a due segment now, and when the next ones are due.
///
/// The number of batches is bounded, and the rest of the segment is then due after the other sends
/// that are due, so that none waits for the end of a large one. A throttled send is split as its
/// rate allows; what it missed while no node ran is not sent in a burst.
package struct SegmentSplit: Hashable, Sendable {
  /// The most batches of one split.
  package static let batchLimit = 32
  /// The longest time between two batches of a throttled segment that is being sent.
  static let longestGap = Duration.seconds(120)
  /// How much of a delay a throttled segment catches up with.
  private static let slack = Duration.seconds(1)

  /// The ranks of each batch's devices in the segment.
  package private(set) var batches: [Range<Int>] = []
  /// When the segment is due again; `nil` where all of its devices are in batches.
  package private(set) var nextDue: Timestamp?

  /// When a part that follows this one is due, where all of this one's devices are in batches.
  package private(set) var followingDue: Timestamp

  /// The number of the segment's devices that are in batches after the split.
  package var taken: Int { batches.last?.upperBound ?? 0 }

  /// Splits a segment of `count` devices, of which `taken` are in batches already.
  ///
  /// `sharers` is the number of the send's segments that are being sent, which share its rate.
  package init(
    taken: Int, of count: Int, dueAt: Timestamp, throttlePerSecond: Int?, sharers: Int = 1,
    at now: Timestamp
  ) {
    let sharers = max(1, sharers)
    let size = min(Batch.limit, max(1, (throttlePerSecond ?? Batch.limit) / sharers))
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
  /// The most devices of a part: a split reads one part, however many devices the segment has.
  package static let partLimit = 1_000_000

  /// The segment's devices in parts, of which each follows the one before.
  var parts: [DeviceNumbers] {
    stride(from: 0, to: devices.count, by: Self.partLimit).map { start in
      devices.count <= Self.partLimit
        ? devices : devices.slice(from: start, limit: Self.partLimit)
    }
  }

  /// When a part is due that follows another one: never, until the other one ends.
  static let followerDue = Timestamp(milliseconds: 253_402_300_799_000)
  /// What `taken` is for such a part.
  static let followerTaken: Int64 = -1
}

extension Timestamp {
  fileprivate static func - (time: Timestamp, duration: Duration) -> Timestamp {
    time + (.zero - duration)
  }
}
