import PushPayload
import PushStore
import _HTTPServer

/// `/devices`: registering, reading, importing, erasing, and those that are gone.
enum DeviceRoutes {
  static let importPath = "/v6/devices/import"
  /// How long a device that is gone is told of.
  private static let uninstalledLife = Duration.seconds(60 * 24 * 60 * 60)
  private static let pageSize = 500

  static let all: [Route] =
    Route.allVersions(
      "PUT", "/devices/:device_id", .app([.device, .push]), body: "application/json", .updateDevice,
      update)
    + Route.allVersions("GET", "/devices/:device_id", .app([.push]), .readDevice, read)
    + Route.allVersions("POST", "/devices/:device_id/erase", .app([.push]), .eraseDevice, erase)
    + Route.allVersions("GET", "/devices/uninstalled", .app([.push]), .listUninstalled, uninstalled)
    + [
      Route(
        "POST", importPath, .serverOrAdmin, body: "text/csv", or: DeviceImport.linesType,
        .importDevices, importDevices)
    ]

  private static func update(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let id = call.parameter("device_id")
    guard isDeviceID(id) else {
      throw APIError(422, "a device id is 1 to 64 letters, digits, hyphens and underscores")
    }
    let device = try call.json().required("device")
    let isPublic = call.key?.role == .device
    if isPublic, device["development"] != nil { throw APIError.forbidden }
    let reader = try DevicePatchReader(device)
    let (app, now) = (try call.app(), api.clock.now())
    var updated = try await api.store.update(device: id, app: app, reader.patch, at: now)
    if reader.isOpened {
      try await api.store.recordOpen(device: id, app: app, at: now)
      updated.lastOpenedAt = now
    }
    // A public key must not read what others stored.
    return isPublic
      ? .json(["device": ["id": .string(id)]]) : .json(bytes: updated.updateAnswer)
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let device = try await api.store.device(call.parameter("device_id"), app: call.app())
    else { throw APIError.notFound("device with this id") }
    return .json(device.readAnswer)
  }

  private static func erase(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let id = call.parameter("device_id")
    let now = api.clock.now()
    let store = api.store(for: call, "device.erase", id)
    guard let device = try await store.erase(device: id, app: call.app(), at: now) else {
      throw APIError.notFound("device with this id")
    }
    return .json(device.eraseAnswer)
  }

  private static func uninstalled(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let now = api.clock.now()
    let span = try call.span(default: uninstalledLife, at: now)
    let start = max(span.lowerBound, now + (.zero - uninstalledLife))
    let cursor = try call.cursor(of: "uninstalled", at: now)
    var page = Page<Device>([], cursor: nil, total: 0)
    if start <= span.upperBound {
      // Past the end the list is asked for no device, only for how many there are.
      let isPastEnd = cursor != nil && cursor?.position == nil
      page = try await api.store.uninstalled(
        app: call.app(), from: start, to: span.upperBound, after: cursor?.position,
        limit: isPastEnd ? 0 : pageSize)
      if isPastEnd { page.cursor = nil }
    }
    let next = Cursor(position: page.cursor).text(of: "uninstalled", at: now)
    return .json([
      "meta": ["cursor": .string(next), "total": .integer(Int64(page.total))],
      "devices": .array(page.elements.map(\.uninstalledAnswer)),
    ])
  }

  private static func importDevices(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let app = call.namedApp ?? call.key?.app else {
      throw APIError(422, "name the app in the query: ?app=ID")
    }
    guard try await api.store.app(app) != nil else {
      throw APIError.notFound("app with this id")
    }
    let devices = DeviceImport(store: api.store, app: app, now: api.clock.now())
    let isLines = call.request.mediaType == DeviceImport.linesType
    let body = call.request.incoming ?? IncomingBody(call.request.body)
    let report: DeviceImport.Report
    do {
      report = try await devices.run(as: isLines ? .lines : .csv) { try await body.next() }
    } catch let error as IncomingBodyError {
      throw APIError(400, error.message)
    }
    try await api.audit(call, "devices.import", app)
    return .json(report.json)
  }

  static func isDeviceID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension Device {
  /// A device that is gone has no token any more.
  fileprivate var uninstalledAnswer: JSONValue {
    var members = listed.object ?? [:]
    members["push_token"] = nil
    return .object(members)
  }
}
