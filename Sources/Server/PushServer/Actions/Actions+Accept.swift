import PushModel
import PushPayload

extension Actions {
  /// Stores a send with its audience, and wakes delivery; when this returns, the send is durable.
  ///
  /// - Parameters:
  ///   - send: The send; it gets its app's rate, and its key's or app's class, if it has none of its own.
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
    send.namedClass = send.namedClass ?? actor.sendClass
    send.quietHours = quiet
    // The rate spreads openings of the app, and a push to a Live Activity leads to none.
    if send.activity == nil { try await planner.applyAppDefaults(to: &send) }
    if let key {
      send.idempotencyKey = key.text
      send.fingerprint = key.fingerprint
    }
    var recipients = devices ?? DeviceNumbers()
    if devices == nil { recipients = try await audiences.devices(of: audience, at: clock.now()) }
    let segments = try await planner.segments(of: send, to: recipients, quiet: quiet)
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
}
