import PushModel
import PushServer

/// The time at which a new key expires, as given by `--expires`.
enum KeyExpiry: Hashable, Sendable {
  case after(Duration)
  case at(Timestamp)

  /// The longest time from now, a hundred years.
  static let longest = Duration.seconds(36_500 * 86_400)

  static let option = Option(
    "--expires", form,
    help: "a time from now such as 90d, or a date such as 2030-01-31T12:00:00Z (default never)")

  private static let form = ValueForm<KeyExpiry>(
    "TIME",
    takes: "a time from now above 0 and up to 36500d, such as 12h or 90d, or a date such as"
      + " 2030-01-31T12:00:00Z"
  ) { text in
    if let duration = Units.duration(text) {
      return duration > .zero && duration <= longest ? .after(duration) : nil
    }
    return Timestamp(iso8601: text).map { .at($0) }
  }

  /// The time at which the key expires.
  ///
  /// - Throws: ``UsageError`` if the date is not in the future.
  func moment(from now: Timestamp) throws(UsageError) -> Timestamp {
    switch self {
    case .after(let duration): return now + duration
    case .at(let time):
      guard time > now else {
        throw UsageError("--expires must be in the future, not \(time.iso8601)")
      }
      return time
    }
  }
}

extension Arguments {
  /// The time given by `--expires`, according to this machine's clock.
  func expiry() throws -> Timestamp? {
    try self[KeyExpiry.option]?.moment(from: ServerClock.system.now())
  }
}
