import PushPayload
import Synchronization
import _HTTPServer
import _WebAssets

/// The OpenAPI documents as bytes, plain and compressed; each is made at its first request and kept.
final class ServedDocument: Sendable {
  private struct Forms: Sendable {
    var plain: [UInt8]
    var gzip: [UInt8]
    var tag: String
  }

  private let version: String
  private let made = Mutex<[String: Forms]>([:])

  /// `version` is the version of this program.
  init(version: String) { self.version = version }

  /// Returns the document of a version of the API, or 304 if the caller already has it.
  func answer(to request: HTTPRequest, apiVersion: String) -> HTTPResponse {
    let forms = made.withLock { made in
      let forms = made[apiVersion] ?? make(apiVersion)
      made[apiVersion] = forms
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

  private func make(_ apiVersion: String) -> Forms {
    let plain = OpenAPIDocument.json(
      Router.routes, version: version, apiVersion: apiVersion
    ).bytes
    return Forms(
      plain: plain, gzip: Gzip.compressed(plain), tag: HTTPResponse.entityTag(of: plain))
  }
}
