import PushModel
import PushPayload
import _HTTPServer

/// `/users`: a user's custom attributes, which are stored on each of the user's devices.
enum UserRoutes {
  static let all: [Route] = Route.allVersions(
    "PUT", "/users/:user_id", access: .app([.push]), body: "application/json",
    operation: .updateUser, handler: update)

  private static func update(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let id = call.parameter("user_id")
    let custom = try call.json().required("user").required("custom")
    let patch = try DevicePatchReader(attributes: custom).patch
    let count = try await router.actions.updateUser(
      id, attributes: patch.attributes, by: call.actor)
    return .json(["user": ["id": .string(id), "device_count": .integer(Int64(count))]])
  }
}
