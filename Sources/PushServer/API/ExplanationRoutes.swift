import PushPayload
import PushStore
import _HTTPServer

/// `…/explanation`: why a device, or each device of a user, got a notification or did not.
enum ExplanationRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/notifications/:notification_id/explanation", access: .app([.push]),
      operation: .explainNotification, handler: ofSend),
    Route(
      "GET", "/v6/runs/:run_id/explanation", access: .app([.push]),
      operation: .explainRun, handler: ofRun),
  ]

  /// The most devices of a user that are explained.
  static let deviceLimit = 100

  private static func ofSend(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let send = try await NotificationRoutes.send(call, api)
    // What is not for a device may be so because of the run, such as another variant.
    if let origin = send.origin, let run = try await api.store.run(origin.run, app: send.app) {
      return try await answer(call, run: run, api)
    }
    return try await answer(call, sends: [send], api)
  }

  private static func ofRun(_ call: Call, _ api: API) async throws -> HTTPResponse {
    try await answer(call, run: try await RunRoutes.run(call, api), api)
  }

  private static func answer(
    _ call: Call, run: CampaignRun, _ api: API
  ) async throws -> HTTPResponse {
    try await answer(
      call, sends: try await api.store.sends(ofRun: run.id, app: run.app), run: run, api)
  }

  private static func answer(
    _ call: Call, sends: [Send], run: CampaignRun? = nil, _ api: API
  ) async throws -> HTTPResponse {
    let devices = try await devices(call, api)
    var explanations: [JSONValue] = []
    var members: DeviceNumbers?
    if let first = sends.first,
      let audience = try await api.store.audience(first.audience, app: first.app)
    {
      members = try await api.audiences.members(of: audience, at: api.clock.now())
    }
    for device in devices {
      var facts = DeliveryFacts(device: device)
      facts.run = run
      facts.selectedAt = run.map(\.startedAt) ?? sends.first?.createdAt
      facts.isMember = members.map { $0.contains(device.number) }
      try await api.read(sends, into: &facts)
      explanations.append(facts.json)
    }
    return .json(["explanations": .array(explanations)])
  }

  /// The devices that the query names.
  private static func devices(_ call: Call, _ api: API) async throws -> [Device] {
    let app = try call.app()
    switch (call.query("device_id"), call.query("user_id")) {
    case (let id?, nil):
      guard let device = try await api.store.device(id, app: app) else {
        throw APIError.notFound("device with this id")
      }
      return [device]
    case (nil, let id?):
      let devices = try await api.store.devices(ofUser: id, app: app, limit: deviceLimit)
      guard !devices.isEmpty else { throw APIError.notFound("device of this user") }
      return devices
    case (nil, nil), (_?, _?):
      throw APIError(422, "the query must have device_id or user_id, and not both")
    }
  }
}

extension API {
  /// Reads what became of a device in some sends, the last of which that has it counts.
  fileprivate func read(_ sends: [Send], into facts: inout DeliveryFacts) async throws {
    let device = facts.device
    for send in sends.reversed() {
      switch try await store.isTargeted(device.number, by: send.id, app: send.app) {
      case nil: facts.isStored = false
      case false?: continue
      case true?:
        facts.send = send
        facts.outcome = try await store.outcome(of: send.id, app: send.app, device: device.number)
        facts.receipt = try await store.receipts(of: send.id, device: device, app: send.app).last
        return
      }
    }
    guard let run = facts.run else { return }
    for group in CampaignRun.Group.allCases {
      let devices = try await store.devices(group, ofRun: run.id, app: run.app)
      if devices.contains(device.number) {
        facts.group = group
        return
      }
    }
  }
}

extension DeliveryFacts {
  fileprivate var json: JSONValue {
    let (code, message) = reason
    return [
      "device_id": .string(device.id), "code": .string(code.rawValue), "message": .string(message),
      "notification_id": .optional(send?.id), "variant": .optional(send?.origin?.variant),
      "status": outcome?.status.map { .integer(Int64($0)) } ?? .null,
      "reason": .optional(outcome?.reason),
      "apns_id": .optional(
        outcome.flatMap { _ in send.map { Identifiers.apnsID(send: $0.id, device: device.id) } }),
      "development": .bool(device.isDevelopment),
    ]
  }
}
