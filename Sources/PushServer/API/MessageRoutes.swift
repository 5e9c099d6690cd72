import PushPayload
import PushStore
import _HTTPServer

/// `/messages`: what an app's own stream shows, with or without a push.
enum MessageRoutes {
  private static let pageSize = 50

  static let all: [Route] =
    Route.allVersions(
      "POST", "/messages", .app([.push]), body: "application/json", .createMessage, create)
    + [
      Route("GET", "/v6/messages", .app([.push]), .listMessages, list),
      Route("GET", "/v6/messages/:message_id", .app([.push]), .readMessage, read),
      Route(
        "POST", "/v6/messages/:message_id/impressions", .app([.device, .push]),
        body: "application/json",
        .recordImpression, record),
      // Not with the public key: whoever has an app could read what others were told.
      Route("GET", "/v6/devices/:device_id/messages", .app([.push]), .readStream, stream),
    ]

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (message, send) = try await make(call, api)
    let payload = try call.json()["message"]?["notification"]?["payload"]?.value
    return .json(status: 201, message.creationAnswer(send: send, payload: payload))
  }

  /// Stores the message that a call asks for, and sends the push that goes with it.
  ///
  /// With an `Idempotency-Key` both are done once, and a repeat finishes what the first had begun.
  static func make(_ call: Call, _ api: API) async throws -> (message: Message, send: Send?) {
    let (app, now, once) = (try call.app(), api.clock.now(), try call.once())
    let new = try NewMessage(try call.json().required("message"), at: now)
    let id = once.map { Identifiers.message(madeBy: $0.key, in: app) } ?? Identifiers.makeObjectID()
    var message = Message(
      id: id, app: app, audience: "", title: new.title, content: .object(new.content),
      createdAt: now, unpublishAt: new.unpublishAt)
    let payload = try new.attached(to: id, at: now)
    let first = once == nil ? nil : try await api.store.message(id, app: app)
    if let first, let done = try await done(first, as: message, payload, once, api) { return done }

    let audience = try await new.target.audience(app: app, at: now, api.store)
    message.audience = audience.id
    if case .audience = new.target {} else { try await api.store.save(audience) }
    // A message to everyone is for those who come later, too; a stream needs no push to be read.
    if !audience.filters.isEmpty {
      message.devices = try await api.audiences.members(of: audience, at: now)
    }
    // By the clocks of devices a message is out where the first of them shows its time.
    var due = new.timing.scheduledAt ?? now
    var push: (send: Send, segments: [Segment])?
    if let payload {
      var send = Send(
        id: Identifiers.makeObjectID(), messageID: message.id, app: app, audience: audience.id,
        payload: payload.value, createdAt: now)
      send.take(new.timing)
      // Of the message alone: the caller's key may have named a notification, too.
      send.idempotencyKey = once.map { _ in "message-\(id)" }
      send.fingerprint = once?.fingerprint ?? []
      try await api.pace(&send)
      message.send = send.id
      let devices = try await api.audiences.devices(of: audience, at: now)
      let segments = try await api.segments(of: send, to: devices)
      due = segments.map(\.dueAt).min() ?? due
      push = (send, segments)
    }
    message.publishAt = max(now, due)
    // The message first: a push that leads to nothing is worse than a message without one.
    if let first {
      message = first
    } else {
      message = try await add(message, isRepeatable: once != nil, call, api)
    }
    guard var send = push?.send, let segments = push?.segments else { return (message, nil) }
    send.id = message.send ?? send.id
    send = try await api.store.accept(send, to: audience, segments: segments)
    guard send.fingerprint == once?.fingerprint ?? [] else { throw Call.Once.usedOtherwise }
    api.wakeDelivery()
    return (message, send)
  }

  /// Stores a message; of two repeats at once, the one that comes later gets that of the first.
  private static func add(
    _ message: Message, isRepeatable: Bool, _ call: Call, _ api: API
  ) async throws -> Message {
    do throws(StoreError) {
      try await api.store(for: call, "message.create", message.id).add(message)
      return message
    } catch {
      guard isRepeatable, error.code == .conflict,
        let first = try await api.store.message(message.id, app: message.app)
      else { throw error }
      try check(message, hasPush: message.send != nil, repeats: first)
      return first
    }
  }

  /// What the first of a call's repeats made; `nil` where its push is still to be sent.
  ///
  /// - Throws: ``APIError`` 422 where that was another request.
  private static func done(
    _ first: Message, as message: Message, _ payload: BodyValue?, _ once: Call.Once?, _ api: API
  ) async throws -> (message: Message, send: Send?)? {
    try check(message, hasPush: payload != nil, repeats: first)
    guard let id = first.send else { return (first, nil) }
    guard let send = try await api.store.send(id, app: first.app) else { return nil }
    // After some days nobody knows the fingerprint.
    guard send.fingerprint.isEmpty || send.fingerprint == once?.fingerprint else {
      throw Call.Once.usedOtherwise
    }
    return (first, send)
  }

  /// - Throws: ``APIError`` 422 where the key was another message's.
  private static func check(
    _ message: Message, hasPush: Bool, repeats first: Message
  ) throws(APIError) {
    guard first.title == message.title, first.content == message.content,
      (first.send != nil) == hasPush
    else { throw Call.Once.usedOtherwise }
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

  private static func message(_ call: Call, _ api: API) async throws -> Message {
    guard let message = try await api.store.message(call.parameter("message_id"), app: call.app())
    else {
      throw APIError.notFound("message with this id")
    }
    return message
  }

  /// Counted once a device and kind.
  private static func record(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let field = try call.json().required("impression")
    let kind = try field.required("kind")
    let number = Int(try kind.integer(in: 0...2))
    guard let impression = Message.Impression(rawValue: number) else {
      throw APIError.refused(kind.path, "must be 0, 1 or 2")
    }
    let deviceID = try field.required("device_id")
    let device = try deviceID.string()
    guard DeviceRoutes.isDeviceID(device) else {
      throw APIError.refused(deviceID.path, "is the id of no device")
    }
    let message = try await message(call, api)
    try await api.store.record(
      impression, of: message.id, device: device, app: message.app, at: api.clock.now())
    return .json(status: 202, [:])
  }

  private static func stream(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, device) = (try call.app(), call.parameter("device_id"))
    guard try await api.store.device(device, app: app) != nil else {
      throw APIError.notFound("device with this id")
    }
    // Of the device, whose id may be long.
    let (list, now) = ("stream", api.clock.now())
    let page = try await api.store.stream(
      device: device, app: app, at: now,
      after: call.cursor(of: list, at: now)?.position, limit: pageSize)
    return .json([
      "messages": .array(
        page.elements.map { element in
          var members = element.message.shown
          members["is_read"] = .bool(element.isRead)
          return .object(members)
        }),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now),
        "unread": .integer(Int64(page.total)),
      ],
    ])
  }
}

extension Message {
  /// What a device shows; `null` where the caller wrote nothing.
  fileprivate var shown: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "id": .string(id), "title": .string(title), "created_at": .string(createdAt.iso8601),
    ]
    for key in ["text", "type", "url", "card_image_url", "card_media_url"] {
      members[key] = content[key] ?? .null
    }
    members["custom"] = content["custom"] ?? [:]
    return members
  }

  fileprivate var members: [String: JSONValue] {
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
