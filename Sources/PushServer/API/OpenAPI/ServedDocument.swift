import PushPayload
import Synchronization
import _HTTPServer
import _WebAssets

/// The OpenAPI document as bytes, plain and compressed; made at the first request and kept.
final class ServedDocument: Sendable {
  private struct Forms: Sendable {
    var plain: [UInt8]
    var gzip: [UInt8]
    var tag: String
  }

  private let version: String
  private let made = Mutex<Forms?>(nil)

  /// `version` is the version of this program.
  init(version: String) { self.version = version }

  /// Returns the document, or 304 where the caller has it already.
  func answer(to request: HTTPRequest) -> HTTPResponse {
    let forms = made.withLock { made in
      let forms = made ?? make()
      made = forms
      return forms
    }
    var response = HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "application/json"), ("Cache-Control", "no-cache"), ("ETag", forms.tag),
        ("Vary", "Accept-Encoding"),
      ], body: forms.plain)
    if request.hasVersion(forms.tag) { return response.notModified }
    guard request.acceptsGzip, !forms.gzip.isEmpty else { return response }
    response.headers.append((name: "Content-Encoding", value: "gzip"))
    response.body = .bytes(forms.gzip)
    return response
  }

  private func make() -> Forms {
    let plain = OpenAPIDocument.json(API.routes, version: version).bytes
    return Forms(
      plain: plain, gzip: Gzip.compressed(plain), tag: HTTPResponse.entityTag(of: plain))
  }
}
