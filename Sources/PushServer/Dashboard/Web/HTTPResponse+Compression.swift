import _HTTPServer
import _WebAssets

extension HTTPRequest {
  /// Whether the client accepts gzip (RFC 9110, section 12.5.3).
  var acceptsGzip: Bool {
    header("Accept-Encoding")?.contains(/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/) ?? false
  }
}

extension HTTPResponse {
  /// The response with a gzip body, if it is text of at least one packet and the client accepts gzip.
  ///
  /// Pages contain a form token beside text from the request, so the compressed length could leak the
  /// token (BREACH). The `SameSite=Strict` cookie prevents that: another site cannot request a page
  /// of the session.
  func compressed(for request: HTTPRequest) -> HTTPResponse {
    let type = headers.first { $0.name == "Content-Type" }?.value ?? ""
    guard type.hasPrefix("text/"), let plain = body.bytes, plain.count >= 1400,
      !headers.contains(where: { $0.name == "Content-Encoding" })
    else { return self }
    var response = self
    response.headers.append((name: "Vary", value: "Accept-Encoding"))
    guard request.acceptsGzip else { return response }
    let compressed = Gzip.compressed(plain)
    guard !compressed.isEmpty, compressed.count < plain.count else { return response }
    response.headers.append((name: "Content-Encoding", value: "gzip"))
    response.body = .bytes(compressed)
    return response
  }
}
