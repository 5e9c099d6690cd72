import PushModel
import PushPayload

/// The actions on notifications: sending one, and canceling, pausing or resuming its delivery.
extension Actions {
  /// Sends a notification to its target, or to that of a test.
  ///
  /// - Parameters:
  ///   - field: The `notification` of a request.
  ///   - test: The target of a test, which was counted; it replaces the target of the request.
  ///   - replaced: The id of a scheduled send that is canceled in the same transaction.
  ///   - isJudged: Whether what `martlet lint` calls an error is refused.
  ///   - key: The key by which a repeat of the request is recognized; `nil` makes each request a send of its own.
  ///   - actor: Who sends it.
  /// - Returns: The stored send, or that of the first request if this one is a repeat.
  /// - Throws: ``RequestError`` if the actor may not send, or if the request is not valid.
  func sendNotification(
    _ field: BodyValue, asTest test: TestTarget? = nil, replacing replaced: String? = nil,
    isJudged: Bool = true, repeating key: IdempotencyKey? = nil, by actor: Actor
  ) async throws -> Send {
    if test == nil {
      try actor.requireSending()
    } else {
      try actor.require(.write, to: "send a test")
    }
    let (app, now) = (try actor.ownApp(), clock.now())
    var new = try NewNotification(
      field, at: try await firstTime(of: key, app: app) ?? now, isJudged: isJudged)
    let audience =
      if let test { test.audience } else {
        try await new.target.audience(app: app, at: now, store)
      }
    var old: Send?
    if let replaced { old = try await store.send(replaced, app: app) }
    if let old { new.takeLimits(of: old) }
    var send = new.send(app: app, to: audience, at: now)
    send.namedClass = send.namedClass ?? old?.namedClass
    return try await accept(
      send, to: audience, devices: test?.devices, isTest: test != nil, replacing: replaced,
      quiet: try await new.quietHours(app: app, store),
      isForced: new.isForced, repeating: key, by: actor)
  }

  func cancelNotification(_ id: String, by actor: Actor) async throws -> Send {
    try actor.require(.stop, to: "cancel a send")
    return try await order(.cancel, send: id, recordedAs: "notification.cancel", by: actor)
  }

  func pauseNotification(_ id: String, by actor: Actor) async throws -> Send {
    try actor.require(.stop, to: "pause a send")
    return try await order(.pause, send: id, recordedAs: "notification.pause", by: actor)
  }

  func resumeNotification(_ id: String, by actor: Actor) async throws -> Send {
    try actor.require(.approve, to: "resume a send")
    return try await order(.resume, send: id, recordedAs: "notification.resume", by: actor)
  }

  /// Gives an order to a send, and wakes delivery; `id` is that of the notification, or of its message.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such send; ``StoreError``, which is a conflict if the
  ///   send's state forbids the order.
  private func order(
    _ order: SendLifecycle.Order, send id: String, recordedAs action: String, by actor: Actor
  ) async throws -> Send {
    let known = try await notification(id, app: try actor.ownApp())
    guard
      let send = try await store(for: actor, action, known.id)
        .order(order, send: known.id, app: known.app, at: clock.now())
    else { throw RequestError.notFound("notification with this id") }
    // After a resume, the batches of the send are due.
    wakeDelivery()
    return send
  }

  /// The send with the id of a notification, or of its message.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such send.
  func notification(_ id: String, app: String) async throws -> Send {
    guard let send = try await store.send(id, app: app) else {
      throw RequestError.notFound("notification with this id")
    }
    return send
  }
}

extension Actor {
  /// - Throws: ``RequestError`` `.forbidden` if the actor may send nothing without an approval.
  func requireSending() throws(RequestError) {
    try require(.send, to: "send to an audience; make a campaign and submit it for approval")
  }
}
