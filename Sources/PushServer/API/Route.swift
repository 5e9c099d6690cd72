import PushStore
import _HTTPServer

/// One row of the API: who may ask what, and who answers.
struct Route: Sendable {
  /// Who may ask.
  enum Access: Sendable {
    case open
    /// A key of an app with one of these roles; an app's admin may do all of them.
    case app(Set<APIKey.Role>)
    /// The server's own key.
    case server
    /// The server's key, or the admin of the app that the path (as `:app`) or the query names.
    case serverOrAdmin
    /// A page of the dashboard, which looks at the session itself.
    case page

    /// Whether a key of this role may ask; an app's admin, of that app.
    func admits(_ role: APIKey.Role) -> Bool {
      switch self {
      case .open, .page: true
      case .app(let roles): roles.contains(role) || role == .admin
      case .server: role == .server
      case .serverOrAdmin: role == .server || role == .admin
      }
    }
  }

  typealias Handler = @Sendable (Call, API) async throws -> HTTPResponse

  var method: String
  /// `/v6/devices/:id`; a segment that begins with a colon takes any one segment.
  var pattern: [Substring]
  var access: Access
  /// The media types that the body may have; none where a body means nothing.
  var bodies: [String]
  /// What the API's document says of it; `nil` for pages, which are no part of the API.
  var operation: Operation?
  var handler: Handler
  /// The pattern's segments: literal ones, and names without their colon.
  let parts: [(text: String, isName: Bool)]
  let nameCount: Int
  /// `/v6/devices/{id}`.
  let path: String

  init(
    _ method: String, _ pattern: String, _ access: Access, body: String? = nil,
    or other: String? = nil, _ operation: Operation?, _ handler: @escaping Handler
  ) {
    self.method = method
    self.pattern = pattern.split(separator: "/")
    parts = self.pattern.map {
      $0.hasPrefix(":") ? (String($0.dropFirst()), true) : (String($0), false)
    }
    nameCount = parts.count(where: \.isName)
    path = "/" + parts.map { $0.isName ? "{\($0.text)}" : $0.text }.joined(separator: "/")
    self.access = access
    bodies = [body, other].compactMap(\.self)
    self.operation = operation
    self.handler = handler
  }

  /// The values of the pattern's names in a path that has it.
  func values(in segments: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for (part, segment) in zip(parts, segments) where part.isName { values[part.text] = segment }
    return values
  }

  /// The same route under each version of the API that knew it.
  static func allVersions(
    _ method: String, _ path: String, _ access: Access, body: String? = nil,
    _ operation: Operation, _ handler: @escaping Handler
  ) -> [Route] {
    ["/v4", "/v5", "/v6"].map { Route(method, $0 + path, access, body: body, operation, handler) }
  }
}

/// One request on its way to a handler: who asks, and what the path says.
struct Call: Sendable {
  var request: HTTPRequest
  var parameters: [String: String]
  /// `nil` on an open route only.
  var key: APIKey?

  /// The app of the key; routes of apps are reached with one only.
  func app() throws(APIError) -> String {
    guard let app = key?.app else { throw .forbidden }
    return app
  }

  /// The app that the path or the query names.
  var namedApp: String? { parameters["app"] ?? query("app") }

  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

  /// `v4`, `v5` or `v6`; paths without a version are the newest's.
  var version: Substring { request.path.split(separator: "/").first ?? "v6" }
}
