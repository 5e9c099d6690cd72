import _HTTPServer
import _OpenSSLCrypto
import _WebAssets

/// The style sheet, icon and scripts of the dashboard.
///
/// Their paths contain a hash over all of them, so that browsers may cache each file for ever, and
/// modules can import each other by file name.
enum WebAssets {
  private static let byName = Dictionary(
    WebAsset.all.map { ($0.name, $0) }, uniquingKeysWith: { $1 })

  private static let folder = Identifiers.hex(
    Array(OpenSSLCrypto.sha256(WebAsset.all.flatMap { Array($0.name.utf8) + $0.bytes }).prefix(8)))

  static func path(_ name: String) -> String { "/assets/\(folder)/\(name)" }

  static func answer(_ call: RequestContext) throws(RequestError) -> HTTPResponse {
    guard call.parameter("folder") == folder, let asset = byName[call.parameter("name")] else {
      throw .notFound("file with this name; reload the page")
    }
    let compresses = !asset.gzip.isEmpty && call.request.acceptsGzip
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", asset.mimeType), ("Vary", "Accept-Encoding"),
        ("Cache-Control", "public, max-age=31536000, immutable"),
        ("X-Content-Type-Options", "nosniff"),
      ] + (compresses ? [("Content-Encoding", "gzip")] : []),
      body: compresses ? asset.gzip : asset.bytes)
  }
}
