import _HTTPServer

/// The values that a request has in its path and its query.
protocol RequestValues: Sendable {
  var request: HTTPRequest { get }
  /// The values of the names in the route's pattern.
  var parameters: [String: String] { get }
}

extension RequestValues {
  /// The app that the path or the query names.
  var namedApp: String? { parameters["app"] ?? query("app") }

  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
}
