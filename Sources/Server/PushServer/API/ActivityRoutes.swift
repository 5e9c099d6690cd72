import PushPayload
import PushStore
import _Bitmaps
import _HTTPServer

/// `/activities/:activity_id`: sends to a Live Activity, and reads its state.
enum ActivityRoutes {
  static let all: [Route] = [
    Route(
      "POST", "/v6/activities/:activity_id/notifications", access: .app([.push]),
      body: "application/json", operation: .createActivityPush, handler: create),
    Route(
      "GET", "/v6/activities/:activity_id", access: .app([.push]), operation: .readActivity,
      handler: read),
  ]

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let id = try ActivityTokenRoutes.id(of: call)
    guard let activity = try await api.store.activity(id, app: call.app(), at: api.clock.now())
    else { throw RequestError.notFound("activity with this id") }
    return .json(["activity": activity.answer])
  }

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now, key) = (try call.app(), api.clock.now(), try call.idempotencyKey())
    let id = try ActivityTokenRoutes.id(of: call)
    var new = try NewActivityPush(
      try call.json().required("activity"), activity: id,
      at: try await api.actions.firstTime(of: key, app: app) ?? now)
    try await readChannel(of: &new, app: app, api)
    let audience =
      try await new.target?.audience(app: app, at: now, api.store)
      ?? Audience(id: Identifiers.everyone(in: app), app: app, filters: [], createdAt: now)
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id, payload: new.payload, createdAt: now)
    send.activity = new.push
    send.expiresAt = now + new.push.life
    let devices = try await devices(of: new, in: audience, at: now, api)
    let accepted = try await api.actions.accept(
      send, to: audience, devices: devices, repeating: key,
      auditedAs: "activity.\(new.push.event.rawValue)", by: call.actor)
    if accepted.id == send.id { api.metrics.accepted(new.push) }
    return .json(status: 201, ["notification": accepted.activityAnswer])
  }

  private static func readChannel(
    of new: inout NewActivityPush, app: String, _ api: API
  ) async throws {
    guard let id = new.push.channel else { return }
    guard let channel = try await api.store.channel(id, app: app) else {
      throw RequestError(
        .notFound, "\(new.channelPath) names no channel of this app", at: new.channelPath)
    }
    new.push.isStored = channel.storage == .mostRecent
  }

  /// The phones of a push, or the number that stands for the channel of a broadcast.
  private static func devices(
    of new: NewActivityPush, in audience: Audience, at now: Timestamp, _ api: API
  ) async throws -> DeviceNumbers {
    let app = audience.app
    if new.push.broadcastChannel != nil { return DeviceNumbers([ActivityPush.channelNumber]) }
    let registered = try await api.store.devices(with: new.push.subject, app: app)
    guard new.push.event == .start else {
      if registered.isEmpty, try await api.store.activity(new.push.id, app: app, at: now) == nil {
        throw RequestError.notFound(
          "activity with this id: no phone has registered a token for it, and nothing was sent to it"
        )
      }
      return registered
    }
    // An activity does not depend on whether alerts are allowed, so all devices that have the app count.
    let members = try await api.audiences.members(of: audience, at: now)
    return DeviceNumbers(registered.bitmap & members.bitmap)
  }
}

extension Send {
  /// The answer to the request that sent a push to a Live Activity.
  fileprivate var activityAnswer: JSONValue {
    var members = answer.object ?? [:]
    members["to"] = nil
    members["activity_id"] = .optional(activity?.id)
    members["event"] = .optional(activity?.event.rawValue)
    members["timestamp"] = activity?.timestamp.map(JSONValue.integer) ?? .null
    return .object(members)
  }
}

extension Activity {
  fileprivate var answer: JSONValue {
    [
      "id": .string(id), "type": .optional(type), "phones": .integer(Int64(phones)),
      "last_event": .optional(last?.event.rawValue),
      "last_timestamp": last.map { .integer($0.timestamp) } ?? .null,
      "created_at": .optional(last?.createdAt.iso8601),
      "updated_at": .optional(last?.updatedAt.iso8601),
      "counts": [
        "targeted": .integer(Int64(counts.targeted)), "sent": .integer(Int64(counts.sent)),
        "failed": .integer(Int64(counts.rejected + counts.uninstalled)),
        "tokens_removed": .integer(Int64(removed)),
      ],
      "failures": .object(failures.mapValues { .integer(Int64($0)) }),
      "last_hour": [
        "pushes": .integer(Int64(recentPushes)), "urgent": .integer(Int64(recentUrgentPushes)),
      ],
    ]
  }
}
