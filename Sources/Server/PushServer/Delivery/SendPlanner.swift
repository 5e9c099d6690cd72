import PushModel

/// The planner of sends: it finds the times at which a send's devices are due, and the devices that limits hold back.
struct SendPlanner: Sendable {
  let store: any PushStore
  let audiences: Audiences
  let clock: ServerClock

  /// Gives a send its app's rate limit and class if it has none of its own; a campaign's send keeps its class.
  func applyAppDefaults(to send: inout Send) async throws {
    guard send.throttlePerSecond == nil || send.namedClass == nil,
      let app = try await store.app(send.app)
    else { return }
    send.throttlePerSecond = send.throttlePerSecond ?? app.throttlePerSecond
    if send.origin == nil { send.namedClass = send.namedClass ?? app.sendClass }
  }

  /// Groups the devices of a send by the time at which each is due, and by their quiet hours.
  ///
  /// Devices that get nothing, because of quiet hours or an unknown time zone, are due all the same: delivery
  /// records why they get nothing.
  func segments(
    of send: Send, to devices: DeviceNumbers, quiet: QuietHours? = nil
  ) async throws -> [Segment] {
    let due = send.scheduledAt ?? send.createdAt
    guard send.isLocalTime || quiet != nil else { return [Segment(dueAt: due, devices: devices)] }
    let zones = try await audiences.byTimeZone(devices, app: send.app)
    guard let quiet else { return LocalTime.segments(of: zones, at: due) }
    let now = clock.now()
    var segments: [Segment: DeviceNumbers] = [:]
    for (name, devices) in zones {
      var segment = Segment(dueAt: due, devices: DeviceNumbers(), quiet: .always)
      if let zone = DeviceTimeZone.clock(ofDevice: name) {
        let time = send.isLocalTime ? LocalTime.instant(of: due, zone: zone) : due
        let windows = quiet.windows(from: max(time, now), zone: zone)
        let end = quiet.otherwise == .wait ? windows.end(at: max(time, now)) : nil
        (segment.dueAt, segment.quiet) = (end ?? time, windows)
      }
      segments[segment] = segments[segment, default: DeviceNumbers()].union(devices)
    }
    return segments.map { Segment(dueAt: $0.dueAt, devices: $1, quiet: $0.quiet) }
      .sorted { $0.dueAt < $1.dueAt }
  }
}
