import PushPayload

/// A moment in milliseconds since 1970, as the store and Apple's 410 write it.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  package static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(
      milliseconds: time.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// How long after `earlier` this is; negative where it is before.
  package func since(_ earlier: Timestamp) -> Duration {
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

extension Timestamp {
  /// The moment as `2026-11-21T09:30:00.000Z`: always UTC and of one width, so that text sorts as time does.
  package var iso8601: String { ISO8601DateTime(milliseconds: milliseconds).text }

  /// Reads a date, or a date and a time, in the forms that `ISO8601DateTime` lists; `nil` for any other text.
  package init?(iso8601 text: String) {
    guard let time = ISO8601DateTime(text) else { return nil }
    milliseconds = time.milliseconds
  }
}
