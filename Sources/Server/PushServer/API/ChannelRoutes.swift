import PushModel
import PushPayload
import _HTTPServer

/// `/v6/apps/:app/channels`: the broadcast channels of an app, which Apple creates and deletes.
enum ChannelRoutes {
  private static let path = "/v6/apps/:app/channels"
  private static let pageSize = 500

  static let all: [Route] = [
    Route("GET", path, access: .app([.push]), operation: .listChannels, handler: list),
    Route(
      "POST", path, access: .app([.push]), body: "application/json", operation: .createChannel,
      handler: create
    ).waitingForOthers,
    Route(
      "DELETE", path + "/:channel_id", access: .app([.push]), operation: .deleteChannel,
      handler: delete
    ).waitingForOthers,
  ]

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, now) = (try app(of: call), router.clock.now())
    let list = "channels-\(app)"
    let page = try await router.store.channels(
      app: app, after: call.cursor(of: list, at: now)?.position, limit: pageSize)
    return .json([
      "channels": .array(page.elements.map(\.answer)),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    _ = try app(of: call)
    let channel = try await router.actions.createChannel(
      try call.json().required("channel"), by: call.actor)
    return .json(status: 201, ["channel": channel.answer])
  }

  private static func delete(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    _ = try app(of: call)
    let channel = try await router.actions.deleteChannel(
      call.parameter("channel_id"), by: call.actor)
    return .json(["channel": channel.answer])
  }

  /// The app in the path, which must be that of the key.
  private static func app(of call: KeyedRequest) throws(RequestError) -> String {
    let app = try call.app()
    guard app == call.parameter("app") else { throw .forbidden }
    return app
  }
}

extension Channel {
  fileprivate var answer: JSONValue {
    [
      "id": .string(id), "storage": .string(storage.rawValue), "development": .bool(isDevelopment),
      "created_at": .string(createdAt.iso8601),
    ]
  }
}
