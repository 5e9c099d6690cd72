import PushModel
import PushPayload
import _HTTPServer

/// `/notifications/:id/replay`: sends a notification again, to the devices for which Apple refused
/// it.
///
/// A replay is for refusals that were not the devices' fault, such as a wrong key or a topic that was not allowed,
/// once the cause is corrected. Devices that got the push, uninstalled devices, and devices that a limit of the app
/// has held back get nothing.
enum ReplayRoute {
  static let all: [Route] = [
    Route(
      "POST", "/v6/notifications/:notification_id/replay", access: .app([.push]),
      operation: .replayNotification, handler: replay)
  ]

  private static func replay(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let send = try await router.actions.replayNotification(
      call.parameter("notification_id"), repeating: try call.idempotencyKey(), by: call.actor)
    return .json(status: 201, .object(send.creationMembers))
  }
}
