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
    let subject = try Actions.TimelineSubject(in: call)
    let recipient = try Actions.TimelineRecipient(in: call)
    let timelines = try await router.actions.timelines(of: subject, for: recipient, app: call.app())
    guard let first = timelines.first else { throw RequestError.notFound("device") }
    var answer = first.json.object ?? [:]
    answer["devices"] = .array(timelines.map(\.summary))
    return .json(.object(answer))
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
