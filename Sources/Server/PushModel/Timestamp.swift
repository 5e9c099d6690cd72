import PushPayload

/// A moment in milliseconds since 1970, as in the store and in Apple's 410.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment a duration later; beyond the range of moments it is the last or the first one.
  package static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    let length = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let (sum, isBeyond) = time.milliseconds.addingReportingOverflow(length)
    return Timestamp(milliseconds: isBeyond ? (length < 0 ? .min : .max) : sum)
  }

  /// The time from `earlier` to this moment, which is negative if this moment is earlier.
  package func since(_ earlier: Timestamp) -> Duration {
    // A duration has more bits, so that no two moments are too far apart.
    .milliseconds(milliseconds) - .milliseconds(earlier.milliseconds)
  }
}

extension Timestamp {
  /// The moment in the form `2026-11-21T09:30:00.000Z`, always in UTC and of the same width, so that texts sort by
  /// time.
  package var iso8601: String { ISO8601DateTime(milliseconds: milliseconds).text }

  /// Reads a date, or a date and a time, in a form of `ISO8601DateTime`; `nil` if the text has none of its forms.
  package init?(iso8601 text: String) {
    guard let time = ISO8601DateTime(text) else { return nil }
    milliseconds = time.milliseconds
  }
}
