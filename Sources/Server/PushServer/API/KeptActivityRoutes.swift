import PushModel
import PushPayload
import _HTTPServer

/// `/activities/:activity_id` and its followers: Live Activities that the server keeps.
enum KeptActivityRoutes {
  private static let follower = "/v6/activities/:activity_id/followers/:device_id"

  static let all: [Route] = [
    Route(
      "PUT", "/v6/activities/:activity_id", access: .app([.push]), body: "application/json",
      operation: .keepActivity, handler: keep),
    Route(
      "PUT", follower, access: .ownDevice(or: []), operation: .followActivity
    ) { call, router in
      let channel = try await follow(true, call: call, router: router)
      return .json(["channel_id": .optional(channel)])
    },
    Route(
      "DELETE", follower, access: .ownDevice(or: []), operation: .unfollowActivity
    ) { call, router in
      _ = try await follow(false, call: call, router: router)
      return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")])
    },
  ]

  private static func keep(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let id = try ActivityTokenRoutes.id(of: call)
    let kept = try await router.actions.keepActivity(
      try call.json().required("activity"), id: id, by: call.actor)
    return try await ActivityRoutes.answer(id, kept: kept, call: call, router: router)
  }

  private static func follow(
    _ follows: Bool, call: KeyedRequest, router: Router
  ) async throws -> String? {
    try await router.actions.follow(
      follows, activity: try ActivityTokenRoutes.id(of: call), device: call.parameter("device_id"),
      by: call.actor)
  }
}

extension KeptActivity {
  /// The keeper's view of the activity.
  var answer: JSONValue {
    var stages: [String: Int64] = [:]
    for stage in KeptPhone.Stage.allCases { stages[stage.rawValue] = 0 }
    for phone in keeper.phones.values { stages[phone.stage.rawValue, default: 0] += 1 }
    return [
      "state": .string(
        keeper.isFinished ? "finished" : keeper.wanted.isOver ? "ending" : "running"),
      "revision": .integer(Int64(keeper.wanted.revision)),
      "phones": .object(stages.mapValues(JSONValue.integer)),
      "channel_id": .optional(keeper.channel?.id),
      "created_at": .string(createdAt.iso8601),
    ]
  }
}
