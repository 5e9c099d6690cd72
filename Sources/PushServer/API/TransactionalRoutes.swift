import PushPayload
import PushStore
import _Bitmaps
import _HTTPServer

/// `/transactional/notifications`: to one person or device, and what became of it in the answer.
enum TransactionalRoutes {
  /// How long APNs is tried; what has not gone out by then does not.
  ///
  /// The answer comes once nothing is on its way any more, which may take the APNs client as long
  /// again.
  static let patience = Duration.seconds(25)
  /// How long a push on its way is waited for: longer than any lives, even where its node dies.
  private static let longestWay = Duration.seconds(90)

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
      id: Identifiers.makeObjectID(), app: app, filters: try filters(body), createdAt: now)
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id,
      payload: payload.value, createdAt: now)
    send.group = group
    let devices = try await api.audiences.devices(of: audience, at: now)
    let accepted = try await api.accept(send, to: audience, devices: devices, for: call)
    let watch = SendWatch(send: accepted, store: api.store, clock: api.clock)
    let ended = try await watch.wait(within: patience) { $0.state.isOver }
    // Late is worse than never here, and the answer must stay true.
    if !ended.state.isOver { try await withdraw(ended, api) }
    return .json(try await answer(ended, to: devices, api))
  }

  /// Ends a send such that nothing of it goes out once this returns.
  private static func withdraw(_ send: Send, _ api: API) async throws {
    func order(_ order: SendLifecycle.Order) async throws -> Send? {
      do throws(StoreError) {
        return try await api.store.order(
          order, send: send.id, app: send.app, at: api.clock.now())
      } catch {
        // It ended meanwhile.
        guard error.code == .conflict else { throw error }
        return nil
      }
    }
    // A pause is through only when no push is on its way; what came of them stands written then.
    guard let held = try await order(.pause) else { return }
    let watch = SendWatch(send: held, store: api.store, clock: api.clock)
    let still = try await watch.wait(within: longestWay) { $0.state != .pausing }
    if !still.state.isOver { _ = try await order(.cancel) }
  }

  static func isGroup(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9-]{3,64}/) != nil
  }

  private static func group(_ field: BodyValue) throws(APIError) -> String {
    let group = try field.string()
    guard isGroup(group) else {
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

  /// Every device is in one of the three; a failure is one of which Apple did not say that it took
  /// the push.
  private static func answer(
    _ send: Send, to devices: DeviceNumbers, _ api: API
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
    let failures = try await api.store.devices(app: send.app, numbers: DeviceNumbers(failed))
    return [
      "id": .string(send.id),
      "results": [
        "success": .integer(counts[.sent] ?? 0),
        "uninstalled": .integer(counts[.uninstalled] ?? 0),
        "failures": .array(failures.map { .string($0.id) }),
      ],
    ]
  }
}
