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

  /// The subject of an explanation: a notification, or all deliveries of a run.
  private struct Subject {
    var sends: [Send]
    var run: CampaignRun?
    var messages: [PublishedMessage] = []

    var audience: String? { sends.first?.audience ?? messages.first?.message.audience }
  }

  private static func ofSend(_ call: KeyedRequest, _ router: Router) async throws -> Subject {
    let send = try await NotificationRoutes.send(call, router)
    // The run may be the reason why a device did not get the notification, such as by another variant.
    guard let origin = send.origin,
      let run = try await router.store.run(origin.run, app: send.app),
      // A step of a triggered campaign has a notification for every few seconds.
      try await router.store.campaign(run.campaign, app: run.app)?.kind != .triggered
    else { return Subject(sends: [send]) }
    return Subject(sends: try await router.store.sends(ofRun: run.id, app: run.app), run: run)
  }

  private static func ofRun(_ call: KeyedRequest, _ router: Router) async throws -> Subject {
    let run = try await RunRoutes.run(call, router)
    guard try await router.store.campaign(run.campaign, app: run.app)?.kind != .triggered else {
      throw RequestError(
        .conflict,
        "the run is a step of a triggered campaign; read /campaigns/\(run.campaign)/explanations")
    }
    let deliveries = try await RunDeliveries(of: run, router.store)
    return Subject(sends: deliveries.sends, run: run, messages: deliveries.messages)
  }

  private static func read(
    _ call: KeyedRequest, of subject: Subject, _ router: Router
  ) async throws -> HTTPResponse {
    guard
      let device = try await router.store.device(call.parameter("device_id"), app: call.app())
    else { throw RequestError.notFound("device with this id") }
    let explanations = try await explanations(
      of: subject, to: [device], app: try call.app(), router)
    return .json(["explanation": explanations.first ?? .null])
  }

  private static func list(
    _ call: KeyedRequest, of subject: Subject, _ router: Router
  ) async throws -> HTTPResponse {
    guard let user = call.query("user_id") else {
      throw RequestError(.invalid, "the query must have user_id")
    }
    let devices = try await router.store.devices(ofUser: user, app: call.app(), limit: deviceLimit)
    let explanations = try await explanations(
      of: subject, to: devices, app: try call.app(), router)
    return .json(["explanations": .array(explanations)])
  }

  private static func explanations(
    of subject: Subject, to devices: [Device], app: String, _ router: Router
  ) async throws -> [JSONValue] {
    let members = try await members(of: subject, app: app, router)
    var explanations: [JSONValue] = []
    for device in devices {
      var facts = DeliveryFacts(device: device, at: router.clock.now())
      facts.run = subject.run
      facts.decidedAt = subject.run.flatMap { RunReport($0.report).decision?.at }
      facts.selectedAt = subject.run.map(\.startedAt) ?? subject.sends.first?.createdAt
      facts.isMember = members.map { $0.contains(device.number) }
      facts.isInApp = !subject.messages.isEmpty
      try await facts.findMessage(among: subject.messages, router.store)
      try await facts.findSend(among: subject.sends, router.store)
      explanations.append(facts.json)
    }
    return explanations
  }

  /// The devices that are in the audience now; `nil` if it, or an audience that it refers to, was deleted.
  private static func members(
    of subject: Subject, app: String, _ router: Router
  ) async throws -> DeviceNumbers? {
    guard let id = subject.audience, let audience = try await router.store.audience(id, app: app)
    else { return nil }
    do {
      return try await router.audiences.members(of: audience, at: router.clock.now())
    } catch let error where error.code == .conflict {
      return nil
    }
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
