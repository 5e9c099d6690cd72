import PushModel
import PushPayload
import _HTTPServer

/// The push tokens of Live Activities, which a device registers and removes with its own secret.
enum ActivityTokenRoutes {
  private static let startPath = "/v6/devices/:device_id/activities/:activity_type/start-token"
  private static let updatePath = "/v6/activities/:activity_id/tokens/:device_id"

  static let all: [Route] = [
    Route(
      "PUT", startPath, access: .ownDevice(or: []), body: "application/json",
      operation: .registerStartToken, handler: registerStart),
    Route(
      "DELETE", startPath, access: .ownDevice(or: []), body: "application/json",
      operation: .removeStartToken
    ) { try await remove(.start(type: type(of: $0)), call: $0, router: $1) },
    Route(
      "PUT", updatePath, access: .ownDevice(or: []), body: "application/json",
      operation: .registerActivityToken, handler: registerUpdate),
    Route(
      "DELETE", updatePath, access: .ownDevice(or: []), body: "application/json",
      operation: .removeActivityToken
    ) { try await remove(.activity(id(of: $0)), call: $0, router: $1) },
  ]

  private static func registerStart(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let type = try type(of: call)
    let token = try PushToken.read(try call.json().required("token"))
    let new = ActivityToken(
      .start(type: type), device: call.parameter("device_id"), type: type, token: token)
    return try await register(new, call: call, router: router)
  }

  private static func registerUpdate(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let (id, body) = (try id(of: call), try call.json())
    let token = try PushToken.read(try body.required("token"))
    let type = try body.required("type")
    guard ActivityID.isType(try type.string()) else {
      throw RequestError.refused(type.path, "must be \(ActivityID.typeForm)")
    }
    let new = ActivityToken(
      .activity(id), device: call.parameter("device_id"), type: type.value.string ?? "",
      token: token)
    return try await register(new, call: call, router: router)
  }

  private static func register(
    _ token: ActivityToken, call: KeyedRequest, router: Router
  ) async throws -> HTTPResponse {
    try await router.actions.registerActivityToken(token, by: call.actor)
    return noContent
  }

  private static func remove(
    _ subject: ActivityToken.Subject, call: KeyedRequest, router: Router
  ) async throws -> HTTPResponse {
    var only: String?
    if !call.request.body.isEmpty, let field = try call.json()["token"] {
      only = try PushToken.read(field)
    }
    try await router.actions.removeActivityToken(
      for: subject, device: call.parameter("device_id"), only: only, by: call.actor)
    return noContent
  }

  private static let noContent = HTTPResponse(
    status: 204, headers: [("Cache-Control", "no-store")])

  // MARK: Values

  private static func type(of call: KeyedRequest) throws(RequestError) -> String {
    let type = call.parameter("activity_type")
    guard ActivityID.isType(type) else {
      throw RequestError(.invalid, "the type in the path must be \(ActivityID.typeForm)")
    }
    return type
  }

  /// The activity's id in the path.
  static func id(of call: KeyedRequest) throws(RequestError) -> String {
    let id = call.parameter("activity_id")
    guard ActivityID.isValid(id) else {
      throw RequestError(.invalid, "the activity id in the path must be \(ActivityID.form)")
    }
    return id
  }
}
