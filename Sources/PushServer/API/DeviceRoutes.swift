import PushPayload
import PushStore
import _HTTPServer

/// `/devices`: registering, reading, importing.
enum DeviceRoutes {
  static let importPath = "/v6/devices/import"

  static let all: [Route] =
    Route.allVersions(
      "PUT", "/devices/:device_id", .app([.device, .push]), body: "application/json", .updateDevice,
      update)
    + Route.allVersions("GET", "/devices/:device_id", .app([.push]), .readDevice, read)
    + [Route("POST", importPath, .serverOrAdmin, body: "text/csv", .importDevices, importCSV)]

  private static func update(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let id = call.parameter("device_id")
    guard isDeviceID(id) else {
      throw APIError(422, "a device id is 1 to 64 letters, digits, hyphens and underscores")
    }
    let device = try call.json().required("device")
    let isPublic = call.key?.role == .device
    if isPublic, device["development"] != nil { throw APIError.forbidden }
    let patch = try DevicePatchReader(device).patch
    let updated = try await api.store.update(
      device: id, app: call.app(), patch, at: api.clock.now())
    // A public key must not read what others stored.
    return .json(isPublic ? ["device": ["id": .string(id)]] : updated.updateAnswer)
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let device = try await api.store.device(call.parameter("device_id"), app: call.app())
    else {
      throw APIError(404, "there is no device with this id")
    }
    return .json(device.readAnswer)
  }

  private static func importCSV(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let app = call.namedApp ?? call.key?.app else {
      throw APIError(422, "name the app in the query: ?app=ID")
    }
    guard try await api.store.app(app) != nil else {
      throw APIError(404, "there is no app with this id")
    }
    let report = try await DeviceImport(store: api.store, app: app, now: api.clock.now())
      .run(call.request.body)
    return .json(report.json)
  }

  private static func isDeviceID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-"
            || scalar == "_")
      }
  }
}
