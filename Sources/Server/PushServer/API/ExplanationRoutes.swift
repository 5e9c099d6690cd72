import PushModel
import PushPayload
import _HTTPServer

/// `…/explanations`: the reasons why a device, or each device of a user, got a notification or did not.
enum ExplanationRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/notifications/:notification_id/explanations", access: .app([.push]),
      operation: .listExplanations,
      handler: { try await list($0, of: try await ofSend($0, $1), $1) }),
    Route(
      "GET", "/v6/notifications/:notification_id/explanations/:device_id", access: .app([.push]),
      operation: .readExplanation,
      handler: { try await read($0, of: try await ofSend($0, $1), $1) }),
    Route(
      "GET", "/v6/runs/:run_id/explanations", access: .app([.push]),
      operation: .listRunExplanations,
      handler: { try await list($0, of: try await ofRun($0, $1), $1) }),
    Route(
      "GET", "/v6/runs/:run_id/explanations/:device_id", access: .app([.push]),
      operation: .readRunExplanation,
      handler: { try await read($0, of: try await ofRun($0, $1), $1) }),
  ]

  /// The largest number of a user's devices that are explained.
  static let deviceLimit = 100

  private static func ofSend(
    _ call: KeyedRequest, _ router: Router
  ) async throws -> DeliverySubject {
    try await DeliverySubject(of: try await NotificationRoutes.send(call, router), router.store)
  }

  private static func ofRun(
    _ call: KeyedRequest, _ router: Router
  ) async throws -> DeliverySubject {
    let run = try await RunRoutes.run(call, router)
    guard try await router.store.campaign(run.campaign, app: run.app)?.kind != .triggered else {
      throw RequestError(
        .conflict,
        "the run is a step of a triggered campaign; read /campaigns/\(run.campaign)/explanations")
    }
    return try await DeliverySubject(of: run, router.store)
  }

  private static func read(
    _ call: KeyedRequest, of subject: DeliverySubject, _ router: Router
  ) async throws -> HTTPResponse {
    guard
      let device = try await router.store.device(call.parameter("device_id"), app: call.app())
    else { throw RequestError.notFound("device with this id") }
    return .json(["explanation": try await explanations(of: subject, to: [device], router)[0]])
  }

  private static func list(
    _ call: KeyedRequest, of subject: DeliverySubject, _ router: Router
  ) async throws -> HTTPResponse {
    guard let user = call.query("user_id") else {
      throw RequestError(.invalid, "the query must have user_id")
    }
    let devices = try await router.store.devices(ofUser: user, app: call.app(), limit: deviceLimit)
    return .json(["explanations": .array(try await explanations(of: subject, to: devices, router))])
  }

  private static func explanations(
    of subject: DeliverySubject, to devices: [Device], _ router: Router
  ) async throws -> [JSONValue] {
    try await subject.facts(of: devices, router.audiences, at: router.clock.now(), router.store)
      .map(\.json)
  }
}

extension DeliveryFacts {
  fileprivate var json: JSONValue {
    let (code, message) = reason
    return [
      "device_id": .string(device.id), "code": .string(code.rawValue), "message": .string(message),
      "notification_id": .optional(send?.id), "message_id": .optional(self.message?.id),
      "variant": .optional(send?.origin?.variant ?? self.message?.origin?.variant),
      "status": outcome?.status.map { .integer(Int64($0)) } ?? .null,
      "reason": .optional(outcome?.reason),
      "apns_id": .optional(
        outcome.flatMap { _ in send.map { Identifiers.apnsID(send: $0.id, device: device.id) } }),
      "development": .bool(device.isDevelopment),
    ]
  }
}
