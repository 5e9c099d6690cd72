import _HTTPServer
import _WebAssets

extension HTTPRequest {
  /// Whether the answer may be compressed (RFC 9110, 12.5.3).
  var acceptsGzip: Bool {
    header("Accept-Encoding")?.contains(/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/) ?? false
  }
}

extension HTTPResponse {
  /// The same text, compressed where the browser takes it and a packet or more may be saved.
  ///
  /// A page holds a form's token beside what was searched for, and how well they compress together
  /// says something of it to who can choose the one and see the length: no other site can, for the
  /// session's cookie goes along with our own pages' requests alone.
  func compressed(for request: HTTPRequest) -> HTTPResponse {
    let type = headers.first { $0.name == "Content-Type" }?.value ?? ""
    guard type.hasPrefix("text/"), let plain = body.bytes, plain.count >= 1400,
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
