import PushCrypto
import _HTTPServer
import _OpenSSLCrypto

extension HTTPResponse {
  /// Returns the response to a read with an entity tag, and with gzip if the caller accepts it; 304
  /// if the caller already has this version (RFC 9110, section 13.1.2).
  ///
  /// Callers may keep the response, and ask each time whether it is still valid.
  func validated(for request: HTTPRequest) -> HTTPResponse {
    guard ["GET", "HEAD"].contains(request.method), status == 200, let bytes = body.bytes else {
      return self
    }
    guard headers.contains(where: { $0 == ("Content-Type", "application/json") }),
      !headers.contains(where: { $0.name == "ETag" })
    else { return compressed(for: request) }
    let tag = Self.entityTag(of: bytes)
    var response = self
    response.headers.removeAll { $0.name == "Cache-Control" }
    response.headers += [
      (name: "Cache-Control", value: "private, no-cache"), (name: "ETag", value: tag),
    ]
    return request.hasVersion(tag) ? response.notModified : response.compressed(for: request)
  }

  /// A weak tag, which is the same for the plain and the compressed form.
  static func entityTag(of bytes: [UInt8]) -> String {
    "W/\"\(Base64URL.encode(Array(OpenSSLCrypto.sha256(bytes).prefix(16))))\""
  }

  /// The response 304 with the headers that RFC 9110, section 15.4.5, requires.
  var notModified: HTTPResponse {
    let kept = headers.filter { ["ETag", "Cache-Control"].contains($0.name) }
    return HTTPResponse(
      status: 304, headers: kept.map { ($0.name, $0.value) } + [("Vary", "Accept-Encoding")],
      body: [])
  }
}

extension HTTPRequest {
  /// Whether `If-None-Match` names the tag, in a weak comparison.
  func hasVersion(_ tag: String) -> Bool {
    guard let field = header("If-None-Match") else { return false }
    let opaque = tag.replacing("W/", with: "")
    return field.split(separator: ",").contains {
      let given = $0.trimmed
      return given == "*" || given == opaque || given == "W/" + opaque
    }
  }
}
