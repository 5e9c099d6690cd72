import PushModel

/// The times at which a send is due and expires, its rate, and its class.
struct SendTiming: Sendable {
  /// The time at which the send is due; with ``isLocalTime``, the time on each device's clock.
  private(set) var scheduledAt: Timestamp?
  private(set) var isLocalTime = false
  private(set) var expiresAt: Timestamp?
  private(set) var throttlePerSecond: Int?
  /// The class that the caller has named; `nil` if the number of devices decides.
  private(set) var namedClass: SendClass?
  /// The time by which `scheduled_at` may be past, for callers whose clocks are slow.
  static let lateness = Duration.seconds(60)
  /// The times by which the first clocks, those of UTC+14, and the last ones, those of UTC-12, show a time after UTC.
  static let firstZone = Duration.seconds(-14 * 3600)
  static let lastZone = Duration.seconds(12 * 3600)
  static let throttleRange: ClosedRange<Int64> = 1...1_000_000

  /// Reads the timing of a request.
  ///
  /// `field` is the object with `local_time`, `expires_at`, `throttle_per_second` and `class`. `parent` is the object
  /// with `scheduled_at`. `now` is the moment of the request, or of the first one if this is a repeat.
  init(_ field: BodyValue?, scheduledIn parent: BodyValue, at now: Timestamp) throws(RequestError) {
    isLocalTime = try field?["local_time"]?.bool() ?? false
    scheduledAt = try parent["scheduled_at"].map { value throws(RequestError) in
      // A wall clock has no offset.
      try Self.time(value, dropsOffset: isLocalTime)
    }
    guard !isLocalTime || scheduledAt != nil else {
      throw .missing(parent.path(to: "scheduled_at"))
    }
    let last = scheduledAt.map { isLocalTime ? $0 + Self.lastZone : $0 }
    if let last, last + Self.lateness < now {
      throw .refused(
        parent.path(to: "scheduled_at"),
        "is in the past; leave it out to send at once, or check the time zone and the clock")
    }
    if let value = field?["expires_at"] {
      let time = try Self.time(value)
      let first = scheduledAt.map { isLocalTime ? $0 + Self.firstZone : $0 }
      guard time > max(now, first ?? now) else {
        throw .refused(value.path, "must be after the time at which the notification is sent")
      }
      expiresAt = time
    }
    throttlePerSecond = try field?["throttle_per_second"].map { value throws(RequestError) in
      Int(try value.integer(in: Self.throttleRange))
    }
    namedClass = try field?["class"].map(SendClass.init)
  }

  private static func time(
    _ field: BodyValue, dropsOffset: Bool = false
  ) throws(RequestError) -> Timestamp {
    guard let time = Self.time(try field.string(), dropsOffset: dropsOffset) else {
      throw .refused(field.path, "must be an ISO 8601 date")
    }
    return time
  }

  /// Parses a date, without its offset from UTC if it is what each device's clock shows.
  static func time(_ text: String, dropsOffset: Bool) -> Timestamp? {
    guard dropsOffset, text.contains(/[Tt ]/) else { return Timestamp(iso8601: text) }
    return Timestamp(iso8601: text.replacing(/[+-][0-9]{2}:?[0-9]{2}$/, with: ""))
  }
}

extension Send {
  mutating func apply(_ timing: SendTiming) {
    scheduledAt = timing.scheduledAt
    isLocalTime = timing.isLocalTime
    expiresAt = timing.expiresAt
    throttlePerSecond = timing.throttlePerSecond
    namedClass = timing.namedClass
  }
}
