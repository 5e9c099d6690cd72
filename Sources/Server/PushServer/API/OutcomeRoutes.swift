import PushModel
import PushPayload
import _HTTPServer

/// `…/outcomes` and `…/report`: the outcome of each device of a send, and the reasons with their
/// counts.
enum OutcomeRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/notifications/:notification_id/outcomes", access: .app([.push]),
      operation: .listOutcomes, handler: list),
    Route(
      "GET", "/v6/notifications/:notification_id/outcomes/:device_id", access: .app([.push]),
      operation: .readOutcome, handler: read),
    Route(
      "GET", "/v6/notifications/:notification_id/report", access: .app([.push]),
      operation: .reportNotification, handler: report),
  ]

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let send = try await NotificationRoutes.send(call, router)
    let (list, now) = ("outcomes-\(send.id)", router.clock.now())
    let page = try await router.store.outcomes(
      of: send.id, app: send.app, after: call.cursor(of: list, at: now)?.position)
    let devices = try await router.store.deviceIDs(
      app: send.app, numbers: DeviceNumbers(page.elements.map(\.device)))
    var ids = PushIdentifiers(send: send.id)
    let outcomes = page.elements.compactMap { outcome in
      devices[outcome.device].map {
        JSONValue.bytes(ofSorted: outcome.members(device: $0, &ids))
      }
    }
    return .json(
      list: "outcomes", outcomes,
      meta: [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ])
  }

  private static func read(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let send = try await NotificationRoutes.send(call, router)
    let id = call.parameter("device_id")
    guard let device = try await router.store.device(id, app: send.app),
      let outcome = try await router.store.outcome(
        of: send.id, app: send.app, device: device.number)
    else { throw RequestError.notFound("outcome for this device") }
    var ids = PushIdentifiers(send: send.id)
    let members = Dictionary(
      outcome.members(device: id, &ids), uniquingKeysWith: { $1 })
    return .json(["outcome": .object(members)])
  }

  private static func report(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let send = try await NotificationRoutes.send(call, router)
    let reasons = try await router.store.reasons(of: send.id, app: send.app)
    let failures = try await router.store.mediaFailures(of: send.id, app: send.app)
    // Equal counts have a fixed order, so that an unchanged answer has the same `ETag`.
    let ordered = reasons.sorted { one, other in
      (other.value, one.key.result.rawValue, one.key.reason ?? "", one.key.status ?? 0)
        < (one.value, other.key.result.rawValue, other.key.reason ?? "", other.key.status ?? 0)
    }
    var ends = ordered.map { end, count -> JSONValue in
      [
        "result": .string(end.result.rawValue),
        "status": end.status.map { .integer(Int64($0)) } ?? .null,
        "reason": .optional(end.reason), "count": .integer(Int64(count)),
      ]
    }
    if send.expiredCount > 0 {
      ends.append([
        "result": "expired", "status": .null, "reason": .null,
        "count": .integer(Int64(send.expiredCount)),
      ])
    }
    return .json([
      "id": .string(send.id),
      "failure": .optional(send.failure),
      "reasons": .array(ends),
      "media_failures": .object(failures.mapValues { .integer(Int64($0)) }),
    ])
  }
}

extension Outcome {
  /// The members sorted by key, so that a page of a thousand needs no sorting.
  fileprivate func members(
    device: String, _ ids: inout PushIdentifiers
  ) -> [(String, JSONValue)] {
    [
      ("apns_id", .string(ids.apnsID(device: device))), ("at", .string(time.iso8601)),
      ("device_id", .string(device)), ("reason", .optional(reason)),
      ("result", .string(result.rawValue)),
      ("status", status.map { .integer(Int64($0)) } ?? .null),
    ]
  }
}
