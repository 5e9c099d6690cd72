import PushModel
import PushPayload
import _HTTPServer

/// `/explain`: the timeline of a notification for a device or a user, from the call to the lock screen.
enum TimelineRoute {
  static let all: [Route] = [
    Route(
      "GET", "/v6/explain", access: .app([.push]), operation: .explainDelivery, handler: explain)
  ]

  private static func explain(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let subject = try one(
      of: [
        ("notification", call.query("notification").map(Actions.TimelineSubject.notification)),
        ("run", call.query("run").map(Actions.TimelineSubject.run)),
        ("campaign", call.query("campaign").map(Actions.TimelineSubject.campaign)),
      ])
    let recipient = try one(
      of: [
        ("device", call.query("device").map(Actions.TimelineRecipient.device)),
        ("user", call.query("user").map(Actions.TimelineRecipient.user)),
      ])
    let timelines = try await router.actions.timelines(of: subject, for: recipient, app: call.app())
    guard let first = timelines.first else { throw RequestError.notFound("device") }
    var answer = first.json.object ?? [:]
    answer["devices"] = .array(timelines.map(\.summary))
    return .json(.object(answer))
  }

  /// Returns the one given value of several parameters.
  private static func one<Value>(
    of parameters: [(name: String, value: Value?)]
  ) throws(RequestError) -> Value {
    let given = parameters.compactMap(\.value)
    guard given.count == 1 else {
      let names = parameters.map(\.name).joined(separator: ", ")
      throw RequestError(.invalid, "the query must have one of \(names)")
    }
    return given[0]
  }
}

extension Actions.DeviceTimeline {
  fileprivate var json: JSONValue {
    [
      "device_id": .string(device.id), "notification_id": .optional(send?.id),
      "verdict": timeline.verdict.json, "steps": .array(timeline.steps.map(\.json)),
    ]
  }

  /// The verdict without the steps.
  fileprivate var summary: JSONValue {
    [
      "device_id": .string(device.id), "notification_id": .optional(send?.id),
      "verdict": timeline.verdict.json,
      "last_opened": .optional(device.lastOpenedAt?.iso8601),
    ]
  }
}
