import PushPayload
import PushStore
import _HTTPServer

/// `/devices`: registering, reading, importing and erasing devices, and listing uninstalled ones.
enum DeviceRoutes {
  static let importPath = "/v6/devices/import"
  /// The time for which an uninstalled device stays in the list.
  private static let uninstalledLife = Duration.seconds(60 * 24 * 60 * 60)
  private static let pageSize = 500

  static let all: [Route] =
    Route.allVersions(
      "PUT", "/devices/:device_id", access: .app([.device, .push]), body: "application/json",
      operation: .updateDevice, handler: update)
    + Route.allVersions(
      "GET", "/devices/:device_id", access: .ownDevice(or: [.push]), operation: .readDevice,
      handler: read)
    + Route.allVersions(
      "POST", "/devices/:device_id/erase", access: .ownDevice(or: [.push]),
      operation: .eraseDevice, handler: erase)
    + Route.allVersions(
      "GET", "/devices/uninstalled", access: .app([.push]), operation: .listUninstalled,
      handler: uninstalled)
    + [
      Route(
        "DELETE", "/v6/devices/:device_id", access: .ownDevice(or: [.push]),
        operation: .deleteDevice, handler: erase),
      Route(
        "DELETE", "/v6/devices/:device_id/secret", access: .app([.push]),
        operation: .resetDeviceSecret, handler: resetSecret),
      Route(
        "POST", importPath, access: .serverOrAdmin, body: "text/csv", or: DeviceImport.linesType,
        operation: .importDevices, handler: importDevices
      ).waitingForOthers,
    ]

  private static func update(_ call: Call, _ api: API) async throws -> HTTPResponse {
    var reader = try await reader(of: try call.json().required("device"), for: call, api)
    var updated = try await store(&reader, for: call, api)
    if reader.isOpened {
      let now = api.clock.now()
      try await api.store.recordOpen(device: updated.id, app: call.app(), at: now)
      updated.lastOpenedAt = now
    }
    // A device key is public, so it must not read what others stored.
    guard call.claim != nil else {
      return .json(bytes: updated.updateAnswer(dropped: reader.dropped))
    }
    return .json([
      "device": ["id": .string(updated.id)], "dropped": .array(reader.dropped.map(\.json)),
    ])
  }

  /// Reads an update, without the members that the caller may not set.
  static func reader(
    of device: BodyValue, for call: Call, _ api: API
  ) async throws -> DevicePatchReader {
    var reader = try DevicePatchReader(device)
    guard call.claim != nil else { return reader }
    if call.key?.isForDevelopment == false, case .set = reader.patch.isDevelopment {
      reader.drop(
        \.isDevelopment, named: "development",
        "is taken only from a push key, or from a device key for development")
    }
    try await UserProof.check(&reader, for: call, api)
    return reader
  }

  /// Stores an update of the device in the path, except for the opening that it may report.
  ///
  /// Keys that the store leaves unchanged are added to the members that the reader has dropped.
  static func store(
    _ reader: inout DevicePatchReader, for call: Call, _ api: API
  ) async throws -> Device {
    let id = call.parameter("device_id")
    guard DeviceID.isValid(id) else {
      throw RequestError(.invalid, "the device id in the path must be \(DeviceID.form)")
    }
    let (app, now) = (try call.app(), api.clock.now())
    let isNew = call.claim.map { $0.known[id] == nil } ?? false
    if isNew { try api.limitNewDevices(from: call.request.remoteAddress) }
    let updated: Device
    do throws(StoreError) {
      updated = try await api.store.update(
        device: id, app: app, reader.patch, by: api.caller(call.claim), at: now)
    } catch {
      if error.code == .conflict { api.metrics.refusedDevice(.limit) }
      throw error
    }
    if isNew { api.reportFill(of: app, at: Int(updated.number)) }
    reader.dropUnchangedKeys(of: updated)
    return updated
  }

  private static func resetSecret(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let id = call.parameter("device_id")
    let store = api.actions.store(for: call.actor, "device.reset_secret", id)
    guard try await store.resetSecret(device: id, app: call.app()) else {
      throw RequestError.notFound("device with this id")
    }
    return .json(["device": ["id": .string(id)]])
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let device = try await api.store.device(call.parameter("device_id"), app: call.app())
    else { throw RequestError.notFound("device with this id") }
    return .json(device.readAnswer)
  }

  private static func erase(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let id = call.parameter("device_id")
    let now = api.clock.now()
    let store = api.actions.store(for: call.actor, "device.erase", id)
    guard let device = try await store.erase(device: id, app: call.app(), at: now) else {
      throw RequestError.notFound("device with this id")
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
      // Past the end only the total is needed.
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
      throw RequestError(.invalid, "the query must name the app: ?app=ID")
    }
    guard try await api.store.app(app) != nil else {
      throw RequestError.notFound("app with this id")
    }
    let devices = DeviceImport(store: api.store, app: app, now: api.clock.now())
    let isLines = call.request.mediaType == DeviceImport.linesType
    let body = call.request.incoming ?? IncomingBody(call.request.body)
    let report: DeviceImport.Report
    do {
      report = try await devices.run(as: isLines ? .lines : .csv) { try await body.next() }
    } catch let error as IncomingBodyError {
      throw RequestError(.malformed, error.message)
    }
    try await api.store.lookSoon(app: app, at: api.clock.now())
    try await api.actions.audit("devices.import", object: app, for: call.actor)
    // Otherwise the first count would wait until the last rows are indexed. The import is stored, so it does not
    // fail if the indexing does.
    if api.isReady { try? await api.audiences.prepare(app: app) }
    return .json(report.json)
  }
}

extension DevicePatchReader {
  /// Lists the keys for encrypted payloads that the store kept, because the caller did not show the
  /// device's secret.
  fileprivate mutating func dropUnchangedKeys(of device: Device) {
    let reason = "changes only with the header \(API.deviceSecretHeader)"
    if case .set(let key) = patch.publicKey, key != device.publicKey {
      drop(\.publicKey, named: "public_key", reason)
    }
    if case .set(let secret) = patch.authSecret, secret != device.authSecret {
      drop(\.authSecret, named: "auth_secret", reason)
    }
  }
}

extension Device {
  /// An uninstalled device as its list shows it, without its token.
  fileprivate var uninstalledAnswer: JSONValue {
    var members = listed.object ?? [:]
    members["push_token"] = nil
    return .object(members)
  }
}
