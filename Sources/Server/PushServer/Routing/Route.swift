import PushModel
import _HTTPServer

/// One row of the API's table of routes: a method and path, who may call it, and its handler.
struct Route: Sendable {
  /// The keys that may call a route.
  enum Access: Sendable {
    /// A key of an app with one of these roles, or the app's admin key.
    case app(Set<APIKey.Role>)
    /// A key of an app with one of these roles, the app's admin key, or its device key with the
    /// secret of the device that the request acts for.
    case ownDevice(or: Set<APIKey.Role>)
    /// A server key.
    case server
    /// A key for metrics, or a server key.
    case metrics
    /// A server key, or the admin key of the app that the path (as `:app`) or the query names.
    case serverOrAdmin

    /// Returns whether a key of this role may call the route; the app of the key is checked elsewhere.
    func admits(_ role: APIKey.Role) -> Bool {
      switch self {
      case .app(let roles): roles.contains(role) || role == .admin
      case .ownDevice(let roles): roles.contains(role) || role == .admin || role == .device
      case .server: role == .server
      case .metrics: role == .metrics || role == .server
      case .serverOrAdmin: role == .server || role == .admin
      }
    }
  }

  typealias Handler = @Sendable (KeyedRequest, Router) async throws -> HTTPResponse
  /// A handler that gets no key.
  typealias OpenHandler = @Sendable (RequestContext, Router) async throws -> HTTPResponse
  /// A check of a request before its body is taken, which returns the refusal, or `nil` if the request is admitted.
  typealias Admission = @Sendable (RequestContext, Router) async throws -> HTTPResponse?

  /// The handler of a route, by who may call it.
  enum Answerer: Sendable {
    /// No key is asked for.
    case open(OpenHandler)
    /// A page of the dashboard, which checks its session itself.
    case page(OpenHandler, admit: Admission?)
    case keyed(Access, Handler)
  }

  var method: String
  /// The segments of the pattern, such as `/v6/devices/:id`; a segment with a colon matches any segment.
  var pattern: [Substring]
  let answerer: Answerer
  /// The keys that may call the route; `nil` if no key is asked for.
  var access: Access? { if case .keyed(let access, _) = answerer { access } else { nil } }
  /// Whether ``devices`` are known only when the body has arrived.
  var namesDevicesInBody: Bool {
    if case .body = devices { true } else { false }
  }
  /// The devices that a request acts for; a device key must be allowed to act for each.
  var devices: Devices
  /// The media types that a body may have; empty if a body is ignored.
  var bodies: [String]
  /// The route's description for the OpenAPI document; `nil` if the route is a page, which the document leaves out.
  var operation: Operation?
  /// Whether the handler also waits for others, so that each of its calls to the store has the whole time.
  private(set) var waitsForOthers = false
  /// The pattern's segments, with the names without their colon.
  let parts: [(text: String, isName: Bool)]
  let nameCount: Int
  /// The path as OpenAPI writes it, such as `/v6/devices/{id}`.
  let path: String
  /// The members that a body may have.
  let members: KnownMembers?
  /// The names of the query's parameters; `nil` if the route ignores other names.
  let queryNames: Set<String>?

  /// Makes a route for keys that takes a body of one or two media types, or none.
  init(
    _ method: String, _ pattern: String, access: Access, body: String? = nil,
    or other: String? = nil, devices: Devices? = nil, operation: Operation,
    handler: @escaping Handler
  ) {
    self.init(
      method, pattern, by: .keyed(access, handler), bodies: [body, other].compactMap(\.self),
      devices: devices, operation: operation)
  }

  /// Makes a route that anybody may call.
  static func open(
    _ method: String, _ pattern: String, operation: Operation? = nil,
    handler: @escaping OpenHandler
  ) -> Route {
    Route(method, pattern, by: .open(handler), operation: operation)
  }

  /// Makes a route of a page of the dashboard.
  static func page(
    _ method: String, _ pattern: String, body: String? = nil, admit: Admission? = nil,
    handler: @escaping OpenHandler
  ) -> Route {
    Route(method, pattern, by: .page(handler, admit: admit), bodies: [body].compactMap(\.self))
  }

  private init(
    _ method: String, _ pattern: String, by answerer: Answerer, bodies: [String] = [],
    devices: Devices? = nil, operation: Operation? = nil
  ) {
    self.method = method
    self.pattern = pattern.split(separator: "/")
    parts = self.pattern.map {
      $0.hasPrefix(":") ? (String($0.dropFirst()), true) : (String($0), false)
    }
    nameCount = parts.count(where: \.isName)
    path = "/" + parts.map { $0.isName ? "{\($0.text)}" : $0.text }.joined(separator: "/")
    self.answerer = answerer
    self.devices = devices ?? (parts.contains { $0.text == "device_id" } ? .path : .none)
    self.bodies = bodies
    self.operation = operation
    members = operation?.body.flatMap { KnownMembers($0) }
    // Callers of an open route, such as a health check, may add a random parameter.
    let isOpen = if case .open = answerer { true } else { false }
    queryNames =
      isOpen ? nil : operation.map { Set($0.parameters.lazy.filter { !$0.isHeader }.map(\.name)) }
  }

  /// Returns the values of the pattern's names in a path that matches it.
  func values(in segments: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for (part, segment) in zip(parts, segments) where part.isName { values[part.text] = segment }
    return values
  }

  /// The same route for a handler that also waits for others.
  var waitingForOthers: Route {
    var route = self
    route.waitsForOthers = true
    return route
  }

  /// Makes the same route under `/v4`, `/v5` and `/v6`.
  static func allVersions(
    _ method: String, _ path: String, access: Access, body: String? = nil,
    operation: Operation, handler: @escaping Handler
  ) -> [Route] {
    ["/v4", "/v5", "/v6"].map {
      Route(
        method, $0 + path, access: access, body: body, operation: operation,
        handler: handler)
    }
  }
}
