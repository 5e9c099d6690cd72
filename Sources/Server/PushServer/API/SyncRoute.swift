import PushModel
import PushPayload
import _HTTPServer

/// `/devices/:device_id/sync`: all reports of an app in one request.
enum SyncRoute {
  static let all: [Route] = [
    Route(
      "POST", "/v6/devices/:device_id/sync", access: .app([.device]), body: "application/json",
      operation: .syncDevice, handler: sync)
  ]

  private static func sync(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let id = call.parameter("device_id")
    let report = try DeviceReport(try call.json(), of: id)
    let (dropped, unread) = try await router.actions.syncDevice(
      id, report, claim: call.claim, by: call.actor)
    let answer: JSONValue = [
      "dropped": .array(dropped.map(\.json)),
      "unread": unread.map { .integer(Int64($0)) } ?? .null,
      "server_time": .string(router.clock.now().iso8601),
    ]
    return unread.map { .json(answer, unread: $0) } ?? .json(answer)
  }
}
