import PushModel
import PushPayload
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

  private static func update(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let update = try DevicePatchReader(try call.json().required("device"))
    let (device, dropped) = try await router.actions.updateDevice(
      call.parameter("device_id"), update, claim: call.claim,
      by: call.actor)
    // A device key is public, so it must not read what others stored.
    guard call.claim != nil else { return .json(bytes: device.updateAnswer(dropped: dropped)) }
    return .json([
      "device": ["id": .string(device.id)], "dropped": .array(dropped.map(\.json)),
    ])
  }

  private static func resetSecret(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let id = call.parameter("device_id")
    try await router.actions.resetSecret(ofDevice: id, by: call.actor)
    return .json(["device": ["id": .string(id)]])
  }

  private static func read(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (store, app) = (router.store, try call.app())
    guard let device = try await store.device(call.parameter("device_id"), app: app)
    else { throw RequestError.notFound("device with this id") }
    let tokens = try await store.reloadTokens(of: DeviceNumbers([device.number]), app: app)
    return .json(device.readAnswer(with: tokens))
  }

  private static func erase(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let device = try await router.actions.eraseDevice(
      call.parameter("device_id"), claim: call.claim, by: call.actor)
    return .json(device.eraseAnswer)
  }

  private static func uninstalled(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let now = router.clock.now()
    let span = try call.span(default: uninstalledLife, at: now)
    let start = max(span.lowerBound, now + (.zero - uninstalledLife))
    let cursor = try call.cursor(of: "uninstalled", at: now)
    var page = Page<Device>([], cursor: nil, total: 0)
    if start <= span.upperBound {
      // Past the end only the total is needed.
      let isPastEnd = cursor != nil && cursor?.position == nil
      page = try await router.store.uninstalled(
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

  private static func importDevices(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    guard let app = call.actor.app else {
      throw RequestError(.invalid, "the query must name the app: ?app=ID")
    }
    let isLines = call.request.mediaType == DeviceImport.linesType
    let body = call.request.incoming ?? IncomingBody(call.request.body)
    let isAdmitted = router.isAdmitted(call.key)
    let report: DeviceImport.Report
    do {
      report = try await router.actions.importDevices(as: isLines ? .lines : .csv, by: call.actor) {
        let piece = try await body.next()
        // A piece may arrive long after the one before it, when the key is over.
        guard try await isAdmitted() else { throw RequestError.unauthorized }
        return piece
      }
    } catch let error as IncomingBodyError {
      throw RequestError(.malformed, error.message)
    }
    // Otherwise the first count would wait until the last rows are indexed. The import is stored, so it does not
    // fail if the indexing does.
    if router.isReady { try? await router.audiences.prepare(app: app) }
    return .json(report.json)
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
