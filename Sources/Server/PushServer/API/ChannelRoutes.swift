import APNs
import PushPayload
import PushStore
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

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try await app(of: call, api), api.clock.now())
    let list = "channels-\(app.id)"
    let page = try await api.store.channels(
      app: app.id, after: call.cursor(of: list, at: now)?.position, limit: pageSize)
    return .json([
      "channels": .array(page.elements.map(\.answer)),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try await app(of: call, api)
    let field = try call.json().required("channel")
    let storage = try field.required("storage")
    guard let known = Channel.Storage(rawValue: try storage.string()) else {
      let words = Channel.Storage.allCases.map(\.rawValue).joined(separator: ", ")
      throw RequestError.refused(storage.path, "must be one of \(words)")
    }
    let isDevelopment = try field["development"]?.bool() ?? false
    let id = try await ask(api, of: app, development: isDevelopment) {
      try await $0.create(storing: known == .mostRecent ? .mostRecent : .none).id
    }
    let channel = Channel(
      id: id, app: app.id, storage: known, isDevelopment: isDevelopment,
      createdAt: api.clock.now())
    try await api.actions.store(for: call.actor, "channel.create", id).add(channel)
    return .json(status: 201, ["channel": channel.answer])
  }

  /// Deletes a channel at Apple and then here, so that a request that failed between the two can be
  /// repeated.
  private static func delete(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, id) = (try await app(of: call, api), call.parameter("channel_id"))
    guard let channel = try await api.store.channel(id, app: app.id) else {
      throw RequestError.notFound("channel with this id")
    }
    try await ask(api, of: app, development: channel.isDevelopment) { channels in
      do throws(APNsChannelError) {
        try await channels.delete(id)
      } catch {
        // Apple has deleted the channel before. Apple also answers `BadPath` for an unknown one.
        let reason = error.outcome.reason
        guard reason == .channelNotRegistered || reason == .badPath else { throw error }
      }
    }
    guard
      try await api.actions.store(for: call.actor, "channel.delete", id).removeChannel(
        id, app: app.id)
    else { throw RequestError.notFound("channel with this id") }
    return .json(["channel": channel.answer])
  }

  /// The app in the path, which must be that of the key.
  private static func app(of call: Call, _ api: API) async throws -> App {
    guard try call.app() == call.parameter("app"),
      let app = try await api.store.app(call.parameter("app"))
    else { throw RequestError.forbidden }
    return app
  }

  /// Makes a request to Apple's channel management.
  ///
  /// - Throws: ``RequestError`` `.conflict` if Apple refuses it, `.unavailable` if Apple does not answer.
  private static func ask<T>(
    _ api: API, of app: App, development: Bool,
    _ request: (any PushChannels) async throws -> T
  ) async throws -> T {
    guard let sender = api.sender else {
      throw RequestError(.unavailable, "this server sends no pushes", wait: 60)
    }
    do {
      return try await request(try await sender.channels(of: app, development: development))
    } catch let error as APNsChannelError {
      guard error.outcome.kind == .answered, let status = error.outcome.status, status < 500,
        status != 429
      else {
        throw RequestError(
          .unavailable,
          "Apple's channel management did not do this: \(error); try again",
          wait: 10)
      }
      throw RequestError(.conflict, "Apple refuses this: \(error)")
    } catch let error as APNsError {
      throw RequestError(.conflict, "the app's key cannot be used: \(error)")
    }
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
