import Foundation
import PushPayload
package import PushStore
import Synchronization
import _Card
package import _HTTPServer

/// The HTTP API: finds the route, checks the key, reads the body, says what went wrong.
package final class API: Sendable {
  let store: any PushStore
  let audiences: Audiences
  /// What asks Apple about an app's key; `nil` asks nobody.
  let sender: (any PushSender)?
  let secretKey: SecretKey
  let clock: ServerClock
  /// Called when a send was accepted, so that delivery does not wait for its next look.
  let wakeDelivery: @Sendable () -> Void
  private let log: @Sendable (LogLine) -> Void
  /// Hears of each answered request; `nil` where nobody wants to.
  private let requests: (@Sendable (RequestLine) -> Void)?
  let metrics: ServerMetrics
  let version: String
  /// The API's own description, OpenAPI 3.1.
  let document: JSONValue
  private let preparing = Mutex(false)
  /// Whether the audiences of all apps are indexed.
  var isReady: Bool { !preparing.withLock(\.self) }
  private let publicCallers = Mutex(RateLimiter())
  private let limitedKeys = Mutex(RateLimiter())
  private let signIns = Mutex(RateLimiter())
  let dashboard: Dashboard.Settings
  /// What people uploaded; `nil` where this server takes none.
  let uploads: Uploads?
  /// What other servers have, for the preview.
  let remoteMedia: RemoteMedia?
  /// Those that the preview has drawn.
  let pictures = PictureCache()

  static let routes: [Route] =
    NotificationRoutes.all + ReplayRoute.all + DeviceRoutes.all + EventRoutes.all + UserRoutes.all
    + AudienceRoutes.all + TransactionalRoutes.all + OutcomeRoutes.all + ReceiptRoutes.all
    + StatRoutes.all + MessageRoutes.all + WebhookRoutes.all
    + AppRoutes.all + StatusRoutes.all + Dashboard.all

  package init(
    store: any PushStore, secretKey: SecretKey, clock: ServerClock = .system,
    metrics: ServerMetrics = ServerMetrics(), version: String = "0",
    audiences: Audiences? = nil, sender: (any PushSender)? = nil,
    dashboard: Dashboard.Settings = .init(),
    wakeDelivery: @escaping @Sendable () -> Void = {},
    requests: (@Sendable (RequestLine) -> Void)? = nil,
    log: @escaping @Sendable (LogLine) -> Void = { _ in }
  ) {
    self.store = store
    self.audiences = audiences ?? Audiences(store)
    self.sender = sender
    self.secretKey = secretKey
    self.clock = clock
    self.wakeDelivery = wakeDelivery
    self.metrics = metrics
    self.version = version
    self.dashboard = dashboard
    uploads = dashboard.mediaFolder.map { Uploads(folder: $0, store: store) }
    remoteMedia = dashboard.mediaFolder.map {
      RemoteMedia(folder: $0 + "/preview", clock: clock, loader: dashboard.mediaLoader)
    }
    document = OpenAPIDocument.json(Self.routes, version: version)
    self.log = log
    self.requests = requests
  }

  /// How many bytes of body a path takes: 1 MiB, imports 256 MiB, and a page
  /// that takes an upload a little more than that.
  package static func bodyLimit(method: String, path: String) -> Int {
    guard method == "POST" else { return 1 << 20 }
    if path == DeviceRoutes.importPath { return 256 << 20 }
    return Uploads.isPath(path) ? Uploads.bodyLimit : 1 << 20
  }

  /// Whether a body is read while it is answered.
  package static func streamsBody(method: String, path: String) -> Bool {
    method == "POST" && path == DeviceRoutes.importPath
  }

  /// From here on the server is not ready, until ``prepareAudiences()`` has ended.
  package func beginPreparing() { preparing.withLock { $0 = true } }

  /// Indexes the audiences of every app, so that no question waits for it.
  package func prepareAudiences() async {
    while !Task.isCancelled {
      do throws(StoreError) {
        for app in try await store.apps() { try await audiences.prepare(app: app.id) }
        return preparing.withLock { $0 = false }
      } catch {
        log(LogLine("indexing audiences: \(error.message)"))
        guard (try? await clock.sleep(.seconds(1))) != nil else { return }
      }
    }
  }

  /// Answers one request; every error becomes an answer.
  ///
  /// `X-Request-Id` of the answer stands in what is logged about it; a caller may bring its own.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    let start = ContinuousClock.now
    let id = Self.requestID(of: request)
    var route = "none"
    var key: APIKey?
    var response: HTTPResponse
    do {
      let (found, parameters) = try Self.route(for: request)
      guard parameters.values.allSatisfy({ $0.unicodeScalars.count <= 255 }) else {
        throw APIError(422, "a part of the path is longer than 255 characters")
      }
      route = found.path
      response = try await handle(request, found, parameters, &key)
      if case .page = found.access { response = response.compressed(for: request) }
    } catch let error as APIError {
      response = error.response
    } catch let error as StoreError {
      let refusal = APIError(error)
      if refusal.status == 503 {
        log(LogLine("\(request.method) \(route): \(error.message)", request: id))
      }
      response = refusal.response
    } catch {
      log(LogLine("\(request.method) \(route): \(error)", request: id))
      response = APIError(500, "internal error").response
    }
    response.headers.append((name: "X-Request-Id", value: id))
    let duration = ContinuousClock.now - start
    metrics.answered(request.method, route: route, status: response.status, in: duration)
    requests?(
      RequestLine(
        id: id, method: request.method, route: route, status: response.status, duration: duration,
        key: key?.id))
    return response
  }

  /// The caller's own where it is short and plain, else a new one.
  private static func requestID(of request: HTTPRequest) -> String {
    guard let id = request.header("X-Request-Id"), (1...64).contains(id.utf8.count),
      id.utf8.allSatisfy({ byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
      })
    else { return Identifiers.makeObjectID() }
    return id
  }

  private func handle(
    _ request: HTTPRequest, _ route: Route, _ parameters: [String: String], _ key: inout APIKey?
  ) async throws -> HTTPResponse {
    var call = Call(request: request, parameters: parameters)
    key = try await authorize(call, for: route.access)
    call.key = key
    if let key = call.key { try limit(key, request.remoteAddress) }
    try Self.check(route.bodies, of: request)
    return try await route.handler(call, self)
  }

  private static let table = RouteTable(routes)

  private static func route(for request: HTTPRequest) throws -> (Route, [String: String]) {
    let parts = Array(request.path.utf8).split(separator: UInt8(ascii: "/"))
    let segments = parts.compactMap { bytes in
      let segment = String(decoding: bytes, as: UTF8.self)
      return bytes.contains(UInt8(ascii: "%")) ? segment.removingPercentEncoding : segment
    }
    let method = request.method == "HEAD" ? "GET" : request.method
    let matches = table.routes(at: segments)
    // A literal segment wins over a name: `/devices/import` is no device.
    let fewest = matches.map { routes[$0].nameCount }.min()
    let best = matches.filter { routes[$0].nameCount == fewest }
    guard !best.isEmpty else { throw APIError(404, "there is nothing at this path") }
    guard let match = (best + matches).first(where: { routes[$0].method == method }) else {
      let allowed = Set(best.map { routes[$0].method }).sorted().joined(separator: ", ")
      throw APIError(405, "this path takes \(allowed)", headers: [("Allow", allowed)])
    }
    return (routes[match], routes[match].values(in: segments))
  }

  // MARK: Keys

  private func authorize(_ call: Call, for access: Route.Access) async throws -> APIKey? {
    // Pages know their visitors by a cookie.
    if case .open = access { return nil }
    if case .page = access { return nil }
    guard let key = try await key(of: call.request) else { throw APIError.unauthorized }
    guard key.limits.admits(call.request.remoteAddress) else { throw APIError.forbidden }
    guard access.admits(key.role) else { throw APIError.forbidden }
    if case .serverOrAdmin = access, key.role == .admin, key.app != call.namedApp ?? key.app {
      throw APIError.forbidden
    }
    return key
  }

  /// The key stands as password or as user name, and some callers leave out the colon.
  private func key(of request: HTTPRequest) async throws -> APIKey? {
    guard let header = request.header("Authorization"), header.utf8.count <= 1024,
      let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
      header[..<space].lowercased() == "basic",
      let data = Data(base64Encoded: String(header[space...].trimmed))
    else { return nil }
    let parts = Array(data).split(separator: UInt8(ascii: ":"), maxSplits: 1)
    for candidate in parts.reversed() {
      let hash = Identifiers.hash(ofKey: String(decoding: candidate, as: UTF8.self))
      if let key = try await store.admittedKey(hash: hash) { return key }
    }
    return nil
  }

  func limit(_ key: APIKey, _ address: String) throws(APIError) {
    let now = clock.now()
    // A device key is public, since it ships inside an app.
    if key.role == .device,
      let wait = publicCallers.withLock({ $0.wait(for: address, .publicCaller, at: now) })
    {
      throw .tooMany("from this address", wait: wait)
    }
    if let perSecond = key.limits.perSecond,
      let wait = limitedKeys.withLock({ $0.wait(for: key.id, .key(perSecond: perSecond), at: now) })
    {
      throw .tooMany("with this key, which is for \(perSecond) a second", wait: wait)
    }
  }

  /// Counts a try to sign in; the seconds to wait where there were too many from an address.
  func signInWait(_ address: String) -> Int? {
    let now = clock.now()
    return signIns.withLock { $0.wait(for: address, SignIn.tries, at: now) }
  }

  // MARK: Bodies

  private static func check(_ types: [String], of request: HTTPRequest) throws(APIError) {
    guard !types.isEmpty, let given = request.mediaType else { return }
    guard types.contains(given) else {
      throw APIError(415, "the body must be \(types.joined(separator: " or "))")
    }
  }
}

extension HTTPRequest {
  /// What the body is said to be, without parameters.
  var mediaType: String? {
    header("Content-Type").map { field in
      Substring(field.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmed.lowercased()
    }
  }
}

extension Substring {
  /// Without the spaces and tabs around it, as a field of a header may have them.
  fileprivate var trimmed: Substring {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = utf8.drop(while: isSpace)
    return Substring(
      start.prefix(
        upTo: start.lastIndex { !isSpace($0) }.map(start.index(after:)) ?? start.startIndex))
  }
}

extension Call {
  /// The body as JSON; its top is an object.
  func json() throws(APIError) -> BodyValue {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: request.body)
    } catch {
      throw APIError(400, "the body is \(error.message)")
    }
    let field = BodyValue(value)
    _ = try field.object()
    return field
  }
}
