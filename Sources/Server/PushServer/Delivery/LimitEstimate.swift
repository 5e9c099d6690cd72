import PushModel

/// An estimate of the devices that limits would hold back from a send that is not accepted yet.
struct LimitEstimate: Sendable {
  /// The devices whose push is due in their quiet hours.
  var quiet = 0
  /// The devices that get nothing because their time zone is not known.
  var withoutClock = 0
  /// The quiet hours of these pushes, and the time at which the last of them end.
  var hours: QuietHours?
  var until: Timestamp?
  /// The devices that have got as many pushes as a cap allows when the first push is due; `nil` if they
  /// were not counted.
  var capped: Int?
}

extension SendPlanner {
  /// Counts the devices of a send that quiet hours or the app's caps would hold back.
  ///
  /// Counting by caps reads a row for each thousand devices.
  func estimate(
    of send: Send, to devices: DeviceNumbers, quiet hours: QuietHours?, limits: AppLimits,
    countsCapped: Bool = true
  ) async throws -> LimitEstimate {
    var estimate = LimitEstimate(hours: hours)
    let now = clock.now()
    let due = max(send.scheduledAt ?? now, now)
    if hours != nil || send.isLocalTime {
      for (name, own) in try await audiences.byTimeZone(devices, app: send.app) {
        guard let zone = DeviceTimeZone.clock(ofDevice: name) else {
          estimate.withoutClock += own.count
          continue
        }
        guard let hours else { continue }
        let time =
          send.isLocalTime
          ? max(LocalTime.instant(of: send.scheduledAt ?? now, zone: zone), now) : due
        guard let end = hours.windows(from: time, zone: zone).end(at: time) else { continue }
        estimate.quiet += own.count
        estimate.until = max(estimate.until ?? end, end)
      }
    }
    if countsCapped, send.capping.contains(.obeys), !limits.caps.isEmpty {
      estimate.capped = try await store.capped(devices, by: limits.caps, app: send.app, at: due)
        .count
    }
    return estimate
  }
}
