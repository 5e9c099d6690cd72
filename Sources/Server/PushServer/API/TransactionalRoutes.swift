import PushPayload
import PushStore
import _Bitmaps
import _HTTPServer

/// `/transactional/notifications`: sends to one user or device, and answers with the outcomes.
enum TransactionalRoutes {
  /// The time for which a send is tried before it is canceled.
  ///
  /// The answer waits for the pushes in flight, which may take the APNs client as long again.
  static let timeout = Duration.seconds(25)
  /// The time for which pushes in flight are waited for: longer than a lease, in case their node dies.
  private static let inFlightTimeout = Duration.seconds(90)

  static let all: [Route] =
    Route.allVersions(
      "POST", "/transactional/notifications", access: .app([.push]), body: "application/json",
      operation: .createTransactional, handler: create
    ).map(\.waitingForOthers)

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let body = try call.json()
    let group = try group(try body.required("group"))
    let notification = try body.required("notification")
    let payload = try notification.required("payload")
    let isForced = try notification["force"]?.bool() ?? false
    try payload.judged(at: now, isForced: isForced || !call.refusesErrors)
    let audience = Audience(
      id: Identifiers.makeObjectID(), app: app, filters: try filters(body), createdAt: now)
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id,
      payload: payload.value, createdAt: now)
    send.group = group
    let devices = try await api.audiences.devices(of: audience, at: now)
    let accepted = try await api.actions.accept(
      send, to: audience, devices: devices, isForced: isForced,
      repeating: try call.idempotencyKey(), by: call.actor)
    let watch = SendWatch(send: accepted, store: api.store, clock: api.clock)
    let ended = try await watch.wait(within: timeout) { $0.state.isOver }
    // A late transactional push is useless, and would contradict the answer.
    if !ended.state.isOver { try await cancel(ended, api) }
    return .json(try await answer(for: ended, to: devices, api))
  }

  /// Cancels a send, and returns when none of its pushes is in flight.
  private static func cancel(_ send: Send, _ api: API) async throws {
    func order(_ order: SendLifecycle.Order) async throws -> Send? {
      do throws(StoreError) {
        return try await api.store.order(
          order, send: send.id, app: send.app, at: api.clock.now())
      } catch {
        // The send completed meanwhile.
        guard error.code == .conflict else { throw error }
        return nil
      }
    }
    // A send is `paused` only when no push is in flight and every outcome is stored.
    guard let pausing = try await order(.pause) else { return }
    let watch = SendWatch(send: pausing, store: api.store, clock: api.clock)
    let paused = try await watch.wait(within: inFlightTimeout) { $0.state != .pausing }
    if !paused.state.isOver { _ = try await order(.cancel) }
  }

  static func isGroup(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9-]{3,64}/) != nil
  }

  private static func group(_ field: BodyValue) throws(RequestError) -> String {
    let group = try field.string()
    guard isGroup(group) else {
      throw .refused(field.path, "must be 3 to 64 letters, digits and hyphens")
    }
    return group
  }

  // MARK: Recipients

  private static let fields: [String: Filter.Field] = [
    "device_id": .builtIn(.deviceID), "user_id": .builtIn(.userID),
    "user_email": .builtIn(.userEmail), "sid": .attribute(.string, name: "sid"),
  ]

  private static func filters(_ body: BodyValue) throws(RequestError) -> [Filter] {
    let to = try body.required("to")
    let name = try to.required("field")
    guard let field = fields[try name.string()], field != .builtIn(.userEmail) else {
      throw .refused(name.path, "must be one of device_id, user_id, sid")
    }
    let value = try to.required("value")
    let text = try value.string()
    guard text.unicodeScalars.count <= DevicePatchReader.textLimit else {
      throw .refused(value.path, "must be at most \(DevicePatchReader.textLimit) characters")
    }
    var filters = [Filter(field: field, criteria: [.equals(.string(text))])]
    let extra = try body["extra_filters"]?.elements() ?? []
    guard extra.count <= 100 else {
      throw .refused(body.path(to: "extra_filters"), "must have at most 100 filters")
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

  // MARK: Outcomes

  /// Counts the devices as success, uninstalled or failure; a failure is a device for which Apple did not
  /// accept the push.
  private static func answer(
    for send: Send, to devices: DeviceNumbers, _ api: API
  ) async throws -> JSONValue {
    var failed = devices.bitmap
    var counts: [Outcome.Result: Int64] = [:]
    var cursor: String?
    repeat {
      let page = try await api.store.outcomes(of: send.id, app: send.app, after: cursor)
      for outcome in page.elements {
        counts[outcome.result, default: 0] += 1
        if outcome.result == .rejected {
          failed.insert(outcome.device)
        } else {
          failed.remove(outcome.device)
        }
      }
      cursor = page.cursor
    } while cursor != nil
    let failures = try await api.store.deviceIDs(app: send.app, numbers: DeviceNumbers(failed))
    return [
      "id": .string(send.id),
      "results": [
        "success": .integer(counts[.sent] ?? 0),
        "uninstalled": .integer(counts[.uninstalled] ?? 0),
        "failures": .array(failures.sorted { $0.key < $1.key }.map { .string($0.value) }),
      ],
    ]
  }
}
