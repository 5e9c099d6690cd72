import PushModel
import PushPayload
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
      Route(
        "PUT", "/v6/messages/:message_id", access: .app([.push]), body: "application/json",
        operation: .updateMessage, handler: update),
      Route(
        "POST", "/v6/messages/:message_id/unpublish", access: .app([.push]),
        operation: .unpublishMessage, handler: unpublish),
    ]

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let field = try call.json().required("message")
    let (message, send) = try await router.actions.publishMessage(
      field, isJudged: call.refusesErrors, repeating: try call.idempotencyKey(), by: call.actor)
    let payload = field["notification"]?["payload"]?.value
    return .json(status: 201, message.creationAnswer(send: send, payload: payload))
  }

  private static func update(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    try await router.actions.updateMessage(
      id(of: call), to: try call.json().required("message"), by: call.actor
    ).response
  }

  private static func unpublish(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    try await router.actions.unpublishMessage(id(of: call), by: call.actor).response
  }

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), router.clock.now())
    let list = "messages-\(app)"
    let page = try await router.store.messages(
      app: app, after: call.cursor(of: list, at: now)?.position, limit: pageSize)
    return .json([
      "messages": .array(page.elements.map { .object($0.members) }),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func read(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    try await router.actions.message(id(of: call), app: try call.app()).response
  }

  private static func id(of call: KeyedRequest) -> String { call.parameter("message_id") }

  /// Counts an impression, once for each device and kind.
  private static func record(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
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
    try await router.actions.recordImpression(
      impression, of: id(of: call), on: device, by: call.actor)
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

  fileprivate var response: HTTPResponse { .json(["message": .object(members)]) }

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
