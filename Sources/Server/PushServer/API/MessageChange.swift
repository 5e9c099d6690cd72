import PushPayload
import PushStore
import _HTTPServer

/// Changes of an existing message: its content, and the time at which inboxes stop showing it.
extension MessageRoutes {
  static let changes: [Route] = [
    Route(
      "PUT", "/v6/messages/:message_id", access: .app([.push]), body: "application/json",
      operation: .updateMessage,
      handler: { call, api in try await update(call, api).response }),
    Route(
      "POST", "/v6/messages/:message_id/unpublish", access: .app([.push]),
      operation: .unpublishMessage,
      handler: { call, api in try await unpublish(call, api).response }),
  ]

  /// Replaces the content of a message.
  ///
  /// `known` is the message as the caller has read it, so that no other one is replaced; `nil` replaces any.
  static func update(
    _ call: Call, _ api: API, from known: Message? = nil
  ) async throws -> Message {
    let (old, now) = (try await message(call, api), api.clock.now())
    try await api.actions.checkSendsDirectly(app: old.app)
    let field = try call.json().required("message")
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
    return try await store(message, from: known ?? old, as: "message.update", for: call, api)
  }

  /// Ends a message now, even if it is not published yet.
  static func unpublish(_ call: Call, _ api: API) async throws -> Message {
    let (old, now) = (try await message(call, api), api.clock.now())
    guard old.unpublishAt > now else { return old }
    var message = old
    message.unpublishAt = now
    return try await store(message, from: old, as: "message.unpublish", for: call, api)
  }

  private static func store(
    _ message: Message, from old: Message, as action: String, for call: Call, _ api: API
  ) async throws -> Message {
    guard
      try await api.actions.store(for: call.actor, action, message.id).update(message, from: old)
    else {
      throw RequestError.notFound("message with this id")
    }
    return message
  }
}

extension Message {
  fileprivate var response: HTTPResponse { .json(["message": .object(members)]) }
}
