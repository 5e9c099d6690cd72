import PushModel
import PushPayload
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

  private static func read(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let id = try ActivityTokenRoutes.id(of: call)
    let kept = try await router.store.keptActivity(id, app: call.app())
    return try await answer(id, kept: kept, call: call, router: router)
  }

  /// The answer with an activity, and with its keeper if it has one.
  static func answer(
    _ id: String, kept: KeptActivity?, call: KeyedRequest, router: Router
  ) async throws -> HTTPResponse {
    var activity = try await router.store.activity(id, app: call.app(), at: router.clock.now())
    if let kept, activity == nil {
      activity = Activity(id: id)
      activity?.type = kept.type
    }
    guard let activity else { throw RequestError.notFound("activity with this id") }
    var members = activity.answer.object ?? [:]
    members["kept"] = kept?.answer ?? .null
    return .json(["activity": .object(members)])
  }

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let id = try ActivityTokenRoutes.id(of: call)
    let send = try await router.actions.sendActivityPush(
      try call.json().required("activity"), to: id, repeating: try call.idempotencyKey(),
      by: call.actor)
    return .json(status: 201, ["notification": send.activityAnswer])
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
