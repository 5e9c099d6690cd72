import PushStore

/// When a push goes out, and how fast.
struct SendTiming: Sendable {
  /// When it is wanted; with ``isLocalTime``, what each device's own clock shows then.
  private(set) var scheduledAt: Timestamp?
  private(set) var isLocalTime = false
  private(set) var expiresAt: Timestamp?
  private(set) var throttlePerSecond: Int?
  static let throttleRange: ClosedRange<Int64> = 1...1_000_000

  // `field` has all but `scheduled_at`, which stands in `place`.
  init(_ field: BodyValue?, scheduledIn place: BodyValue, at now: Timestamp) throws(APIError) {
    isLocalTime = try field?["local_time"]?.bool() ?? false
    scheduledAt = try place["scheduled_at"].map { value throws(APIError) in
      // A wall clock has no offset.
      try Self.time(value, dropsOffset: isLocalTime)
    }
    guard !isLocalTime || scheduledAt != nil else { throw .missing(place.path(to: "scheduled_at")) }
    if let value = field?["expires_at"] {
      let time = try Self.time(value)
      guard time > max(now, isLocalTime ? now : scheduledAt ?? now) else {
        throw .refused(value.path, "is over before the notification is sent")
      }
      expiresAt = time
    }
    throttlePerSecond = try field?["throttle_per_second"].map { value throws(APIError) in
      Int(try value.integer(in: Self.throttleRange))
    }
  }

  private static func time(
    _ field: BodyValue, dropsOffset: Bool = false
  ) throws(APIError) -> Timestamp {
    var text = try field.string()
    if dropsOffset, text.contains(/[Tt ]/) {
      text = text.replacing(/[+-][0-9]{2}:?[0-9]{2}$/, with: "")
    }
    guard let time = Timestamp(iso8601: text) else {
      throw .refused(field.path, "must be an ISO 8601 date")
    }
    return time
  }
}

extension Send {
  mutating func take(_ timing: SendTiming) {
    scheduledAt = timing.scheduledAt
    isLocalTime = timing.isLocalTime
    expiresAt = timing.expiresAt
    throttlePerSecond = timing.throttlePerSecond
  }
}

extension API {
  /// By when each device of a send is due.
  func segments(of send: Send, to devices: DeviceNumbers) async throws -> [Segment] {
    let due = send.scheduledAt ?? send.createdAt
    guard send.isLocalTime else { return [Segment(dueAt: due, devices: devices)] }
    return LocalTime.segments(
      of: try await audiences.byTimeZone(devices, app: send.app), at: due)
  }
}
