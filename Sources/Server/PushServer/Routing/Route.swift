import PushModel
import _HTTPServer

/// One row of the API's table of routes: a method and path, who may call it, and its handler.
struct Route: Sendable {
  /// The keys that may call a route.
  enum Access: Sendable {
    /// No key is asked for.
    case open
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
    /// A page of the dashboard, which checks its session itself.
    case page

    /// Returns whether a key of this role may call the route; the app of the key is checked elsewhere.
    func admits(_ role: APIKey.Role) -> Bool {
      switch self {
      case .open, .page: true
      case .app(let roles): roles.contains(role) || role == .admin
      case .ownDevice(let roles): roles.contains(role) || role == .admin || role == .device
      case .server: role == .server
      case .metrics: role == .metrics || role == .server
      case .serverOrAdmin: role == .server || role == .admin
      }
    }
  }

  typealias Handler = @Sendable (RequestContext, Router) async throws -> HTTPResponse

  var method: String
  /// The segments of the pattern, such as `/v6/devices/:id`; a segment with a colon matches any segment.
  var pattern: [Substring]
  var access: Access
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
  /// Checks a request before its body is taken; returns the refusal, or `nil` if the request is admitted.
  var admit: (@Sendable (RequestContext, Router) async throws -> HTTPResponse?)?
  var handler: Handler
  /// The pattern's segments, with the names without their colon.
  let parts: [(text: String, isName: Bool)]
  let nameCount: Int
  /// The path as OpenAPI writes it, such as `/v6/devices/{id}`.
  let path: String
  /// The members that a body may have.
  let members: KnownMembers?
  /// The names of the query's parameters; `nil` if the route ignores other names.
  let queryNames: Set<String>?

  /// Makes a route that takes a body of one or two media types, or none.
  init(
    _ method: String, _ pattern: String, access: Access, body: String? = nil,
    or other: String? = nil, devices: Devices? = nil, operation: Operation? = nil,
    handler: @escaping Handler
  ) {
    self.method = method
    self.pattern = pattern.split(separator: "/")
    parts = self.pattern.map {
      $0.hasPrefix(":") ? (String($0.dropFirst()), true) : (String($0), false)
    }
    nameCount = parts.count(where: \.isName)
    path = "/" + parts.map { $0.isName ? "{\($0.text)}" : $0.text }.joined(separator: "/")
    self.access = access
    self.devices = devices ?? (parts.contains { $0.text == "device_id" } ? .path : .none)
    bodies = [body, other].compactMap(\.self)
    self.operation = operation
    members = operation?.body.flatMap { KnownMembers($0) }
    // Callers of an open route, such as a health check, may add a random parameter.
    queryNames =
      access.isOpen
      ? nil : operation.map { Set($0.parameters.lazy.filter { !$0.isHeader }.map(\.name)) }
    self.handler = handler
  }

  /// Returns the values of the pattern's names in a path that matches it.
  func values(in segments: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for (part, segment) in zip(parts, segments) where part.isName { values[part.text] = segment }
    return values
  }

  /// The same route for a handler that also waits for others, so that each of its calls to the store has
  /// the whole time.
  var waitingForOthers: Route {
    var route = self
    route.handler = { [handler] call, api in
      try await StoreDeadline.perCall { try await handler(call, api) }
    }
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
