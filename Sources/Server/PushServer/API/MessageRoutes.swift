import PushPayload
import PushStore
import _HTTPServer

/// `/messages`: the messages of an app's message stream, with or without a push.
enum MessageRoutes {
  private static let pageSize = 50

  static let all: [Route] =
    Route.allVersions(
      "POST", "/messages", access: .app([.push]), body: "application/json",
      operation: .createMessage, handler: create)
    + [
      Route("GET", "/v6/messages", access: .app([.push]), operation: .listMessages, handler: list),
      Route(
        "GET", "/v6/messages/:message_id", access: .app([.push]), operation: .readMessage,
        handler: read),
      Route(
        "POST", "/v6/messages/:message_id/impressions", access: .app([.device, .push]),
        body: "application/json",
        devices: .body { body in
          [body["impression"]?["device_id"]?.value.string].compactMap(\.self)
        }, operation: .recordImpression, handler: record),
    ] + changes

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (message, send) = try await make(call, api)
    let payload = try call.json()["message"]?["notification"]?["payload"]?.value
    return .json(status: 201, message.creationAnswer(send: send, payload: payload))
  }

  /// Stores the message of a request, and sends the push that is attached to it.
  ///
  /// With an `Idempotency-Key` both are done once; a repeat finishes what the first call began.
  static func make(_ call: Call, _ api: API) async throws -> (message: Message, send: Send?) {
    let (app, now, key) = (try call.app(), api.clock.now(), try call.idempotencyKey())
    try await api.actions.checkSendsDirectly(app: app)
    let id = key.map { Identifiers.message(madeBy: $0.text, in: app) } ?? Identifiers.makeObjectID()
    let first = key == nil ? nil : try await api.store.message(id, app: app)
    // A repeat may contain times that have passed since the first request.
    let new = try NewMessage(
      try call.json().required("message"), at: first?.createdAt ?? now)
    var message = Message(
      id: id, app: app, audience: "", title: new.title, content: .object(new.content),
      createdAt: now, unpublishAt: new.unpublishAt)
    let payload = try new.attached(to: id, at: now, isJudged: call.refusesErrors)
    if let first,
      let result = try await result(
        of: first, repeatedAs: message, payload: payload, key: key, api)
    {
      return result
    }

    let audience = try await new.target.audience(app: app, at: now, api.store)
    message.audience = audience.id
    if case .audience = new.target {} else { try await api.store.save(audience) }
    // A message to everyone also reaches devices that register later, so it has no fixed list.
    let members: DeviceNumbers? =
      if audience.isEveryone {
        nil
      } else {
        try await api.audiences.members(of: audience, at: now)
      }
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
      try await api.actions.applyAppRate(to: &send)
      message.send = send.id
      let devices = try await api.audiences.devices(of: audience, at: now)
      let segments = try await api.actions.segments(of: send, to: devices)
      due = segments.map(\.dueAt).min() ?? due
      push = (send, segments)
    }
    message.publishAt = max(now, due)
    // The message is stored first, because a push that opens no message is worse than a message without a push.
    if let first {
      message = first
    } else {
      message = try await add(
        message, for: members, isRepeatable: key != nil, isForced: new.isForced, call: call,
        api: api)
    }
    guard var send = push?.send, let segments = push?.segments else { return (message, nil) }
    send.id = message.send ?? send.id
    send = try await api.store.accept(send, to: audience, segments: segments)
    guard send.fingerprint == key?.fingerprint ?? [] else { throw IdempotencyKey.reused }
    api.wakeDelivery()
    return (message, send)
  }

  /// Stores a message; of two equal requests at the same time, the later one returns the first one's message.
  static func add(
    _ message: Message, for devices: DeviceNumbers?, isRepeatable: Bool, isForced: Bool = false,
    call: Call, api: API
  ) async throws -> Message {
    let store = api.actions.store(for: call.actor, "message.create", message.id, isForced: isForced)
    do throws(StoreError) {
      try await store.add(message, for: devices)
      return message
    } catch {
      guard isRepeatable, error.code == .conflict,
        let first = try await api.store.message(message.id, app: message.app)
      else { throw error }
      try check(message, hasPush: message.send != nil, repeats: first)
      return first
    }
  }

  /// Returns the result of the first of two equal requests; `nil` if its push is not stored yet.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the first request was another one with the same key.
  private static func result(
    of first: Message, repeatedAs message: Message, payload: BodyValue?, key: IdempotencyKey?,
    _ api: API
  ) async throws -> (message: Message, send: Send?)? {
    try check(message, hasPush: payload != nil, repeats: first)
    guard let id = first.send else { return (first, nil) }
    guard let send = try await api.store.send(id, app: first.app) else { return nil }
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

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let list = "messages-\(app)"
    let page = try await api.store.messages(
      app: app, after: call.cursor(of: list, at: now)?.position, limit: pageSize)
    return .json([
      "messages": .array(page.elements.map { .object($0.members) }),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    .json(["message": .object(try await message(call, api).members)])
  }

  static func message(_ call: Call, _ api: API) async throws -> Message {
    guard let message = try await api.store.message(call.parameter("message_id"), app: call.app())
    else {
      throw RequestError.notFound("message with this id")
    }
    return message
  }

  /// Counts an impression, once for each device and kind.
  private static func record(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let field = try call.json().required("impression")
    let kind = try field.required("kind")
    let number = Int(try kind.integer(in: 0...2))
    guard let impression = Message.Impression(rawValue: number) else {
      throw RequestError.refused(kind.path, "must be 0, 1 or 2")
    }
    let deviceID = try field.required("device_id")
    let device = try deviceID.string()
    guard DeviceID.isValid(device) else {
      throw RequestError.refused(deviceID.path, "must be \(DeviceID.form)")
    }
    let message = try await message(call, api)
    try await api.store.record(
      impression, of: message.id, device: device, app: message.app, at: api.clock.now())
    return .json(status: 202, [:])
  }
}

extension Message {
  /// The members that a device shows; `null` if the caller gave no value.
  var shown: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "id": .string(id), "title": .string(title), "created_at": .string(createdAt.iso8601),
    ]
    for key in ["text", "type", "url", "card_image_url", "card_media_url"] {
      members[key] = content[key] ?? .null
    }
    members["custom"] = content["custom"] ?? [:]
    return members
  }

  var members: [String: JSONValue] {
    shown.merging([
      "to": ["id": .string(audience), "type": "Audience"],
      "notification_id": .optional(send), "unpublish_at": .string(unpublishAt.iso8601),
    ]) { $1 }
  }

  fileprivate func creationAnswer(send: Send?, payload: JSONValue?) -> JSONValue {
    var members = members
    members["notification_id"] = nil
    members["state"] = "scheduled"
    members["notification"] =
      send.map {
        [
          "id": .string($0.id), "created_at": .string($0.createdAt.iso8601),
          "payload": payload ?? .null,
        ]
      } ?? .null
    return .object(members)
  }
}
