import PushPayload
import _HTTPServer

/// `/media/:name`: uploaded files, for phones and browsers.
enum UploadRoutes {
  static let all: [Route] = [
    .open("GET", "/media/:name", handler: read)
  ]

  /// Answers without a key, also to `HEAD`, and in part if `Range` asks for one part.
  private static func read(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse {
    let name = call.parameter("name")
    guard let path = try await router.uploads?.file(name),
      let type = MediaType(pathExtension: String(name.drop { $0 != "." }.dropFirst())),
      let mimeType = type.mimeTypes.first
    else { throw RequestError.notFound("file with this name") }
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", mimeType), ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "public, max-age=31536000, immutable"),
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
      ], body: .file(path))
  }
}
