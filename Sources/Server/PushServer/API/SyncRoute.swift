import PushPayload
import PushStore
import _HTTPServer

/// `/devices/:device_id/sync`: all reports of an app in one request.
///
/// Each part is read and stored by the code of its own route, which also decides which members are dropped. All
/// parts are read before the first is stored.
enum SyncRoute {
  static let all: [Route] = [
    Route(
      "POST", "/v6/devices/:device_id/sync", access: .app([.device]), body: "application/json",
      operation: .syncDevice, handler: sync)
  ]

  private static let names: Set = ["device", "events", "hidden", "read", "receipts"]

  private static func sync(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (id, app) = (call.parameter("device_id"), try call.app())
    let body = try call.json()
    let receipts = try body["receipts"].map { field throws(RequestError) in
      try ReceiptRoutes.receipts(field, of: id)
    }
    let events = try body["events"].map { field throws(RequestError) in
      try EventRoutes.events(field)
    }
    var marks = try InboxRoutes.marks(read: body["read"], hidden: body["hidden"])
    var update: DevicePatchReader?
    if let device = body["device"] {
      update = try await DeviceRoutes.reader(of: device, for: call, api)
    }
    var dropped = try unknownMembers(of: body)
    dropped += (events?.dropped ?? []) + (receipts?.dropped ?? [])

    let owner = try await api.store.owners(of: [id], app: app)[id]
    guard owner != nil || update != nil else { throw RequestError.notFound("device with this id") }
    if owner?.isErased == true { throw RequestError(.erased, "the device \(id) was erased") }
    // A device that has no secret takes this one, as with any other update.
    if owner != nil, owner?.secretHash == nil, call.claim?.secretHash != nil {
      var empty = try DevicePatchReader(BodyValue([:]))
      _ = try await DeviceRoutes.store(&empty, for: call, api)
    }
    if !marks.isEmpty, let claim = call.claim, claim.secretHash == nil {
      let reason = "is taken only with the header \(API.deviceSecretHeader)"
      for name in ["hidden", "read"] where body[name] != nil {
        dropped.append(DroppedMember(path: body.path(to: name), reason: reason))
      }
      marks = InboxMarks()
    }
    // The marks come before the update, because they belong to the user whom the update may replace.
    if owner != nil { try await store(marks, for: call, api) }
    if var reader = update {
      _ = try await DeviceRoutes.store(&reader, for: call, api)
      dropped = reader.dropped + dropped
    }
    if owner == nil { try await store(marks, for: call, api) }
    // The receipts come before the opening, because the receipt of a tap reports the same opening.
    if let receipts { try await ReceiptRoutes.record(receipts, for: call, api) }
    if update?.isOpened == true {
      try await api.store.recordOpen(device: id, app: app, at: api.clock.now())
    }
    if let events {
      _ = try await api.store.record(events.values, device: id, app: app, at: api.clock.now())
    }
    return try await answer(dropped, for: call, api)
  }

  /// The members that are not parts, which an app that is newer than its server may send.
  private static func unknownMembers(of body: BodyValue) throws(RequestError) -> [DroppedMember] {
    try body.object(upTo: DevicePatchReader.memberLimit).keys.filter { !names.contains($0) }
      .sorted().map { name in
        let path = body.path(to: name)
        return DroppedMember(.unknown(path, name, knows: names), at: path)
      }
  }

  private static func store(_ marks: InboxMarks, for call: Call, _ api: API) async throws {
    guard !marks.isEmpty else { return }
    _ = try await api.store.mark(
      marks, device: call.parameter("device_id"), app: call.app(), at: api.clock.now())
  }

  private static func answer(
    _ dropped: [DroppedMember], for call: Call, _ api: API
  ) async throws -> HTTPResponse {
    let (id, app, now) = (call.parameter("device_id"), try call.app(), api.clock.now())
    var unread: Int?
    if call.claim == nil {
      unread = try await api.store.inbox(
        device: id, app: app, at: now, after: nil, limit: 0
      ).total
    } else if let hash = call.claim?.secretHash {
      unread = try await api.store.unreadCount(device: id, app: app, provenBy: hash, at: now)
    }
    let answer: JSONValue = [
      "dropped": .array(dropped.map(\.json)),
      "unread": unread.map { .integer(Int64($0)) } ?? .null,
      "server_time": .string(now.iso8601),
    ]
    return unread.map { .json(answer, unread: $0) } ?? .json(answer)
  }
}
