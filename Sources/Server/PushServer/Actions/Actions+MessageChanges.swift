import PushModel
import PushPayload

/// The changes of a published message, and the counts of how often it was shown.
extension Actions {
  /// Replaces the content of a message, and the time at which inboxes stop showing it.
  ///
  /// `field` is the `message` of a request. `known` is the message as the caller has read it, so that no other one is
  /// replaced; `nil` replaces any.
  func updateMessage(
    _ id: String, to field: BodyValue, from known: Message? = nil, by actor: Actor
  ) async throws -> Message {
    try actor.require(.send, to: "change an in-app message")
    let (old, now) = (try await message(id, app: try actor.ownApp()), clock.now())
    try await checkSendsDirectly(app: old.app)
    let content = try MessageContent(field)
    var message = old
    (message.title, message.content) = (content.title, .object(content.members))
    if let value = field["unpublish_at"] {
      guard let time = Timestamp(iso8601: try value.string()) else {
        throw RequestError.refused(value.path, "must be an ISO 8601 date")
      }
      guard time > max(now, old.publishAt) else {
        throw RequestError.refused(value.path, "must be in the future, and after it is published")
      }
      message.unpublishAt = time
    }
    return try await update(message, from: known ?? old, recordedAs: "message.update", by: actor)
  }

  /// Ends a message now, even if it is not published yet.
  func unpublishMessage(_ id: String, by actor: Actor) async throws -> Message {
    try actor.require(.stop, to: "unpublish an in-app message")
    let (old, now) = (try await message(id, app: try actor.ownApp()), clock.now())
    guard old.unpublishAt > now else { return old }
    var message = old
    message.unpublishAt = now
    return try await update(message, from: old, recordedAs: "message.unpublish", by: actor)
  }

  /// Counts an impression of a message, once for each device and kind; the caller has admitted the device.
  func recordImpression(
    _ impression: Message.Impression, of id: String, on device: String, by actor: Actor
  ) async throws {
    let message = try await message(id, app: try actor.ownApp())
    try await store.record(
      impression, of: message.id, device: device, app: message.app, at: clock.now())
  }

  /// - Throws: ``RequestError`` `.notFound` if the app has no such message.
  func message(_ id: String, app: String) async throws -> Message {
    guard let message = try await store.message(id, app: app) else {
      throw RequestError.notFound("message with this id")
    }
    return message
  }

  private func update(
    _ message: Message, from old: Message, recordedAs action: String, by actor: Actor
  ) async throws -> Message {
    guard try await store(for: actor, action, message.id).update(message, from: old) else {
      throw RequestError.notFound("message with this id")
    }
    return message
  }
}
