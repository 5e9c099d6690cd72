import PushModel
import PushPayload
import _HTTPServer

/// `…/events`: custom events of a device, or of a user on all of the user's devices.
enum EventRoutes {
  static let all: [Route] =
    Route.allVersions(
      "POST", "/devices/:device_id/events", access: .app([.device, .push]),
      body: "application/json", operation: .recordDeviceEvents, handler: ofDevice)
    + Route.allVersions(
      "POST", "/users/:user_id/events", access: .app([.push]), body: "application/json",
      operation: .recordUserEvents, handler: ofUser)

  private static func ofDevice(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    guard let events = try events(of: call) else { return .json(status: 400, [:]) }
    try await router.actions.recordEvents(
      events.values, ofDevice: call.parameter("device_id"), claim: call.claim, by: call.actor)
    return .json(status: 202, events.answer)
  }

  private static func ofUser(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    guard let events = try events(of: call) else { return .json(status: 400, [:]) }
    try await router.actions.recordEvents(
      events.values, ofUser: call.parameter("user_id"), by: call.actor)
    return .json(status: 202, events.answer)
  }

  /// Reads the events of a request; `nil` if the answer is 400 with `{}`, because version 4 or 5 refuses
  /// them, or none has a name.
  private static func events(of call: KeyedRequest) throws(RequestError) -> ValidElements<
    DeviceEvent
  >? {
    do throws(RequestError) {
      // Version 4 marks the events that come over this API by a prefix.
      return try DeviceEvent.list(
        call.json().required("events"), prefix: call.version == "v4" ? "Public Api:" : "")
    } catch {
      if call.version == "v4" || call.version == "v5" { return nil }
      if let path = error.path, isWithoutNames(try? call.json(), refusedAt: path) { return nil }
      throw error
    }
  }

  /// Whether a body has no events, or `path` is that of an event without a name.
  private static func isWithoutNames(_ body: BodyValue?, refusedAt path: String) -> Bool {
    let isEmpty = body?["events"]?.value.array?.isEmpty ?? true
    return isEmpty || path.wholeMatch(of: /\$\.events\[\d+\](\.name)?/) != nil
  }
}
