import PushPayload
import PushStore
import _HTTPServer

/// `…/events`: custom events of a device, or of a user on all of the user's devices.
enum EventRoutes {
  /// The largest number of events in one request.
  static let limit = 1000

  static let all: [Route] =
    Route.allVersions(
      "POST", "/devices/:device_id/events", access: .app([.device, .push]),
      body: "application/json", operation: .recordDeviceEvents, handler: ofDevice)
    + Route.allVersions(
      "POST", "/users/:user_id/events", access: .app([.push]), body: "application/json",
      operation: .recordUserEvents, handler: ofUser)

  private static func ofDevice(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let events = try events(of: call) else { return .json(status: 400, [:]) }
    let isKnown = try await api.store.record(
      events.values, device: call.parameter("device_id"), app: call.app(), at: api.clock.now())
    guard isKnown else { throw RequestError.notFound("device with this id") }
    return .json(status: 202, events.answer)
  }

  private static func ofUser(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let events = try events(of: call) else { return .json(status: 400, [:]) }
    try await api.store.record(
      events.values, user: call.parameter("user_id"), app: call.app(), at: api.clock.now())
    return .json(status: 202, events.answer)
  }

  /// Reads the events of a request; `nil` if the answer is 400 with `{}`, because version 4 or 5 refuses
  /// them, or none has a name.
  private static func events(of call: Call) throws(RequestError) -> ValidElements<DeviceEvent>? {
    do throws(RequestError) {
      // Version 4 marks the events that come over this API by a prefix.
      return try events(
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

  /// Reads a list of events; `prefix` is put before their names.
  static func events(
    _ field: BodyValue, prefix: String = ""
  ) throws(RequestError) -> ValidElements<DeviceEvent> {
    try ValidElements(field, upTo: limit, of: "events") { element throws(RequestError) in
      try event(element, prefix: prefix)
    }
  }

  private static func event(
    _ element: BodyValue, prefix: String
  ) throws(RequestError) -> DeviceEvent {
    let name = try element.required("name")
    let text = try name.string()
    guard Attribute.isName(text) else { throw .refused(name.path, Self.nameForm) }
    var event = DeviceEvent(name: prefix + text)
    if let id = element["id"] {
      event.id = try id.string()
      guard (1...64).contains(event.id?.unicodeScalars.count ?? 0) else {
        throw .refused(id.path, "must be 1 to 64 characters")
      }
    }
    if let date = element["date"] {
      guard let time = Timestamp(iso8601: try date.string()) else {
        throw .refused(date.path, "must be an ISO 8601 date")
      }
      event.date = time
    }
    event.send = try element["notification_id"]?.string()
    event.items = try items(element["items"])
    event.data = try element["data"].map { value throws(RequestError) in try data(value) }
    return event
  }

  /// Reads the data of an event, which triggered campaigns keep.
  static func data(_ field: BodyValue) throws(RequestError) -> JSONValue {
    _ = try field.object()
    let size = field.value.bytes.count
    guard size <= Enrollment.dataLimit else {
      throw .refused(
        field.path, "must be at most \(Enrollment.dataLimit) bytes as JSON, and is \(size)")
    }
    return field.value
  }

  /// The form of the names of events and items, for an error message.
  private static let nameForm = "must be 1 to 255 characters without quotes and backslashes"

  /// The largest number of items in one purchase.
  static let itemLimit = 100

  private static func items(_ field: BodyValue?) throws(RequestError) -> [PurchasedItem] {
    guard let field else { return [] }
    let elements = try field.elements()
    guard elements.count <= itemLimit else {
      throw .refused(field.path, "must have at most \(itemLimit) items")
    }
    var items: [PurchasedItem] = []
    for element in elements {
      let name = try element.required("name")
      let text = try name.string()
      guard Attribute.isName(text) else { throw .refused(name.path, Self.nameForm) }
      items.append(
        PurchasedItem(
          name: text, quantity: try element["quantity"]?.integer(in: 1...1000) ?? 1,
          price: try element.required("price").integer(in: 0...100_000_000)))
    }
    return items
  }
}
