import PushPayload
import PushStore

extension Actions {
  /// Stores a send with its audience, and wakes delivery; when this returns, the send is durable.
  ///
  /// - Parameters:
  ///   - send: The send; it gets its app's rate if it has no rate of its own.
  ///   - audience: The audience, stored with the send.
  ///   - devices: The devices to send to; `nil` selects the audience's current devices.
  ///   - isTest: Whether the send is a test whose devices were counted, so that it needs no approval.
  ///   - replaced: The id of a scheduled send that is canceled in the same transaction.
  ///   - quiet: The hours in which devices get nothing of the send.
  ///   - isForced: Whether the caller accepts what `martlet lint` calls an error; the audit log says so.
  ///   - key: The key by which a repeat of the request is recognized; `nil` makes each request a send of its own.
  ///   - action: The action of the audit entry.
  ///   - actor: Who sends it.
  /// - Returns: The stored send, or that of the first call if this one is a repeat.
  /// - Throws: ``RequestError`` `.forbidden` if the app sends only approved campaigns, `.invalid` if the
  ///   idempotency key was used for another request.
  func accept(
    _ send: Send, to audience: Audience, devices: DeviceNumbers? = nil, isTest: Bool = false,
    replacing replaced: String? = nil, quiet: QuietHours? = nil, isForced: Bool = false,
    repeating key: IdempotencyKey? = nil, auditedAs action: String = "notification.create",
    by actor: Actor
  ) async throws -> Send {
    if !isTest { try await checkSendsDirectly(app: send.app) }
    var send = send
    // The rate spreads openings of the app, and a push to a Live Activity leads to none.
    if send.activity == nil { try await applyAppRate(to: &send) }
    if let key {
      send.idempotencyKey = key.text
      send.fingerprint = key.fingerprint
    }
    var recipients = devices ?? DeviceNumbers()
    if devices == nil { recipients = try await audiences.devices(of: audience, at: clock.now()) }
    let segments = try await segments(of: send, to: recipients, quiet: quiet)
    send.trace = actor.span?.context.traceparent
    let storing = actor.span.flatMap { tracer?.child(of: $0.context) }
    var recording = store(for: actor, action, send.id)
    if let replaced {
      let cancel = "notification.cancel"
      recording = recording.recording(
        ChangeRecord(
          entry(of: actor, cancel, replaced, app: send.app),
          notice: notice(of: cancel, app: send.app, data: ["id": .string(replaced)])))
    }
    if isForced {
      recording = recording.recording(
        ChangeRecord(entry(of: actor, "notification.force", send.id, app: send.app)))
    }
    let stored = try await recording.accept(
      send, to: audience, segments: segments, replacing: replaced)
    if let tracer, let storing {
      tracer.record(
        storing.ended(
          "store the send", .client, at: tracer.now(),
          attributes: [
            "martlet.notification.id": .text(stored.id), "martlet.app.id": .text(stored.app),
            "martlet.devices": .number(recipients.count),
          ]))
    }
    guard stored.id != send.id else {
      wakeDelivery()
      return stored
    }
    guard stored.fingerprint == send.fingerprint else { throw IdempotencyKey.reused }
    return stored
  }

  /// The time at which the first request with an idempotency key was accepted; `nil` if none was.
  ///
  /// A repeat may contain times that have passed since the first request.
  func firstTime(of key: IdempotencyKey?, app: String) async throws -> Timestamp? {
    guard let key else { return nil }
    return try await store.send(idempotencyKey: key.text, app: app)?.createdAt
  }

  /// Gives a send its app's rate limit if it has none of its own.
  func applyAppRate(to send: inout Send) async throws {
    guard send.throttlePerSecond == nil else { return }
    send.throttlePerSecond = try await store.app(send.app)?.throttlePerSecond
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
