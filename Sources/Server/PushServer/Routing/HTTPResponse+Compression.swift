import _HTTPServer
import _WebAssets

extension HTTPRequest {
  /// Whether the answer may be compressed (RFC 9110, section 12.5.3).
  var acceptsGzip: Bool {
    header("Accept-Encoding")?.contains(/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/) ?? false
  }
}

extension HTTPResponse {
  /// Returns the same response with gzip, if the caller accepts it and the text has 1400 bytes or
  /// more.
  ///
  /// A page has the form's token beside the searched text, and the compressed length reveals
  /// something about the token to an attacker who chooses the text (BREACH). No other site can do
  /// so: the session's cookie is `SameSite`, so it is sent only with our own pages' requests, and a
  /// browser does not add an API key to requests of another site.
  func compressed(for request: HTTPRequest) -> HTTPResponse {
    let type = headers.first { $0.name == "Content-Type" }?.value ?? ""
    guard type.hasPrefix("text/") || type == "application/json", let plain = body.bytes,
      plain.count >= 1400,
      !headers.contains(where: { $0.name == "Content-Encoding" })
    else { return self }
    var response = self
    response.headers.append((name: "Vary", value: "Accept-Encoding"))
    guard request.acceptsGzip else { return response }
    let smaller = Gzip.compressed(plain)
    guard !smaller.isEmpty, smaller.count < plain.count else { return response }
    response.headers.append((name: "Content-Encoding", value: "gzip"))
    response.body = .bytes(smaller)
    return response
  }
}
