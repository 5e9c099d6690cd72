import PushModel
import PushPayload

/// The publication of messages in an app's inboxes.
extension Actions {
  /// Stores a message, and sends the push that is attached to it.
  ///
  /// With a key both are done once; a repeat finishes what the first request began.
  ///
  /// - Parameters:
  ///   - field: The `message` of a request.
  ///   - isJudged: Whether a push that `martlet lint` calls an error is refused.
  ///   - key: The key by which a repeat of the request is recognized; `nil` makes each request a message of its own.
  ///   - actor: Who publishes it.
  /// - Returns: The message, and the send of its push; those of the first request if this one is a repeat.
  /// - Throws: ``RequestError`` if the actor may not send, or if the request is not valid.
  func publishMessage(
    _ field: BodyValue, isJudged: Bool = true, repeating key: IdempotencyKey?, by actor: Actor
  ) async throws -> (message: Message, send: Send?) {
    try actor.requireSending()
    let (app, now) = (try actor.ownApp(), clock.now())
    try await checkSendsDirectly(app: app)
    let id = key.map { Identifiers.message(madeBy: $0.text, in: app) } ?? Identifiers.makeObjectID()
    let first = key == nil ? nil : try await store.message(id, app: app)
    // A repeat may contain times that have passed since the first request.
    let new = try NewMessage(field, at: first?.createdAt ?? now)
    var message = Message(
      id: id, app: app, audience: "", title: new.title, content: .object(new.content),
      createdAt: now, unpublishAt: new.unpublishAt)
    let payload = try new.attached(to: id, at: now, isJudged: isJudged)
    if let first,
      let result = try await result(of: first, repeatedAs: message, payload: payload, key: key)
    {
      return result
    }

    let audience = try await new.target.audience(app: app, at: now, store)
    message.audience = audience.id
    if case .audience = new.target {} else { try await store.save(audience) }
    // A message to everyone also reaches devices that register later, so it has no fixed list.
    let members: DeviceNumbers? =
      if audience.isEveryone { nil } else { try await audiences.members(of: audience, at: now) }
    // In local time the message is published when the first device is due.
    var due = new.timing.scheduledAt ?? now
    var push: (send: Send, segments: [Segment])?
    if let payload {
      var send = Send(
        id: Identifiers.makeObjectID(), messageID: message.id, app: app, audience: audience.id,
        payload: payload.value, createdAt: now)
      send.apply(new.timing)
      // The key is derived from the message, because the caller may have used its own key for a notification.
      send.idempotencyKey = key.map { _ in "message-\(id)" }
      send.fingerprint = key?.fingerprint ?? []
      send.namedClass = send.namedClass ?? actor.sendClass
      try await planner.applyAppDefaults(to: &send)
      message.send = send.id
      let devices = try await audiences.devices(of: audience, at: now)
      let segments = try await planner.segments(of: send, to: devices)
      due = segments.map(\.dueAt).min() ?? due
      push = (send, segments)
    }
    message.publishAt = max(now, due)
    // The message is stored first, because a push that opens no message is worse than a message without a push.
    if let first {
      message = first
    } else {
      message = try await addMessage(
        message, for: members, isRepeatable: key != nil, isForced: new.isForced, by: actor)
    }
    guard var send = push?.send, let segments = push?.segments else { return (message, nil) }
    send.id = message.send ?? send.id
    send = try await store.accept(send, to: audience, segments: segments)
    guard send.fingerprint == key?.fingerprint ?? [] else { throw IdempotencyKey.reused }
    wakeDelivery()
    return (message, send)
  }

  /// Stores a message; of two equal requests at the same time, the later one returns the first one's message.
  func addMessage(
    _ message: Message, for devices: DeviceNumbers?, isRepeatable: Bool, isForced: Bool = false,
    by actor: Actor
  ) async throws -> Message {
    let recording = store(for: actor, "message.create", message.id, isForced: isForced)
    do throws(StoreError) {
      try await recording.add(message, for: devices)
      return message
    } catch {
      guard isRepeatable, error.code == .conflict,
        let first = try await store.message(message.id, app: message.app)
      else { throw error }
      try Self.check(message, hasPush: message.send != nil, repeats: first)
      return first
    }
  }

  /// Returns the result of the first of two equal requests; `nil` if its push is not stored yet.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the first request was another one with the same key.
  private func result(
    of first: Message, repeatedAs message: Message, payload: BodyValue?, key: IdempotencyKey?
  ) async throws -> (message: Message, send: Send?)? {
    try Self.check(message, hasPush: payload != nil, repeats: first)
    guard let id = first.send else { return (first, nil) }
    guard let send = try await store.send(id, app: first.app) else { return nil }
    // The store forgets fingerprints after some days.
    guard send.fingerprint.isEmpty || send.fingerprint == key?.fingerprint else {
      throw IdempotencyKey.reused
    }
    return (first, send)
  }

  /// - Throws: ``RequestError`` `.invalid` if the key was used for another message.
  private static func check(
    _ message: Message, hasPush: Bool, repeats first: Message
  ) throws(RequestError) {
    guard first.title == message.title, first.content == message.content,
      (first.send != nil) == hasPush
    else { throw IdempotencyKey.reused }
  }
}
