import PushPayload
import PushStore
import _HTTPServer

/// `/transactional/notifications`: to one person or device, and what became of it in the answer.
enum TransactionalRoutes {
  /// How long an answer waits for APNs; what has not gone out by then does not.
  static let patience = Duration.seconds(25)

  static let all: [Route] =
    Route.allVersions(
      "POST", "/transactional/notifications", .app([.push]), body: "application/json",
      .createTransactional, create)

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let body = try call.json()
    let group = try group(try body.required("group"))
    let payload = try body.required("notification").required("payload")
    _ = try payload.composed(at: now)
    let audience = Audience(
      id: Identifiers.object(), app: app, filters: try filters(body), createdAt: now)
    var send = Send(
      id: Identifiers.object(), messageID: Identifiers.object(), app: app, audience: audience.id,
      payload: payload.value, createdAt: now)
    send.group = group
    send.expiresAt = now + patience
    let accepted = try await api.accept(send, to: audience, for: call)
    let watch = SendWatch(send: accepted, store: api.store, clock: api.clock)
    var ended = try await watch.end(within: patience)
    if !ended.state.isOver {
      // Late is worse than never here, and the answer must stay true.
      ended =
        try await api.store.order(.cancel, send: ended.id, app: app, at: api.clock.now()) ?? ended
    }
    return .json(try await answer(ended, api))
  }

  private static func group(_ field: BodyValue) throws(APIError) -> String {
    let group = try field.string()
    guard group.wholeMatch(of: /[A-Za-z0-9-]{3,64}/) != nil else {
      throw .refused(field.path, "must be 3 to 64 letters, digits and hyphens")
    }
    return group
  }

  // MARK: Whom

  private static let fields: [String: Filter.Field] = [
    "device_id": .builtIn(.deviceID), "user_id": .builtIn(.userID),
    "user_email": .builtIn(.userEmail), "sid": .attribute(.string, name: "sid"),
  ]

  private static func filters(_ body: BodyValue) throws(APIError) -> [Filter] {
    let to = try body.required("to")
    let name = try to.required("field")
    guard let field = fields[try name.string()], field != .builtIn(.userEmail) else {
      throw .refused(name.path, "must be one of device_id, user_id, sid")
    }
    let value = try to.required("value")
    let text = try value.string()
    guard text.unicodeScalars.count <= DevicePatchReader.textLimit else {
      throw .refused(value.path, "must be \(DevicePatchReader.textLimit) characters or fewer")
    }
    var filters = [Filter(field: field, criteria: [.equals(.string(text))])]
    let extra = try body["extra_filters"]?.elements() ?? []
    guard extra.count <= 100 else {
      throw .refused(body.path(to: "extra_filters"), "takes 100 filters at most")
    }
    for element in extra {
      let name = try element.required("name")
      guard let field = fields[try name.string()] else {
        throw .refused(name.path, "must be one of device_id, sid, user_id, user_email")
      }
      filters.append(try Filter(element, on: field))
    }
    return filters
  }

  // MARK: What became of it

  private static func answer(_ send: Send, _ api: API) async throws -> JSONValue {
    var failed: [UInt32] = []
    var counts: [Outcome.Result: Int64] = [:]
    var cursor: String?
    repeat {
      let page = try await api.store.outcomes(of: send.id, app: send.app, after: cursor)
      for outcome in page.elements {
        counts[outcome.result, default: 0] += 1
        if outcome.result == .rejected { failed.append(outcome.device) }
      }
      cursor = page.cursor
    } while cursor != nil
    let devices = try await api.store.devices(app: send.app, numbers: DeviceNumbers(failed))
    return [
      "id": .string(send.id),
      "results": [
        "success": .integer(counts[.sent] ?? 0),
        "uninstalled": .integer(counts[.uninstalled] ?? 0),
        "failures": .array(devices.map { .string($0.id) }),
      ],
    ]
  }
}
