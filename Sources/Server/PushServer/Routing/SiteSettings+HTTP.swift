import _HTTPServer

/// What the settings mean for requests and answers.
extension SiteSettings {
  /// The origin of this server in the browser of a request, for passkeys only.
  ///
  /// The browser signs its origin, so a `Host` that somebody else chose is refused. In a link it would lead
  /// elsewhere.
  func origin(for request: HTTPRequest) -> String {
    publicURL ?? "\(isSecure ? "https" : "http")://\(request.header("Host") ?? "localhost")"
  }

  /// The time for which browsers remember that this server speaks only https: a year.
  static let strictTransportSecurity = "max-age=31536000"

  /// Makes browsers trust an answer's `Content-Type`, save JSON instead of showing it, and use https from then on.
  func addSecurityHeaders(to response: inout HTTPResponse) {
    func add(_ name: String, _ value: String) {
      guard !response.headers.contains(where: { $0.name == name }) else { return }
      response.headers.append((name: name, value: value))
    }
    add("X-Content-Type-Options", "nosniff")
    if response.headers.contains(where: { $0 == ("Content-Type", "application/json") }) {
      add("Content-Disposition", "attachment; filename=\"api.json\"")
    }
    if isSecure { add("Strict-Transport-Security", Self.strictTransportSecurity) }
  }
}
