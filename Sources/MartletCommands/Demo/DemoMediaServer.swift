import Foundation
import _DemoMedia
import _HTTPServer
import _TLS

/// A real HTTPS server for the media that the binary carries, with an authority of its own.
struct DemoMediaServer: Sendable {
  let base: String
  /// What phones are to trust, PEM.
  let authorityFile: String
  private let server: HTTPServer

  init(folder: URL) throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["localhost", "127.0.0.1"])
    let file = folder.appending(path: "media-ca.pem")
    try Data(authority.certificatePEM.utf8).write(to: file)
    authorityFile = file.path(percentEncoded: false)
    var configuration = HTTPServer.Configuration()
    configuration.tls = (leaf.certificatePEM, leaf.keyPEM)
    server = try HTTPServer(configuration) { request in
      guard let medium = DemoMedium.all.first(where: { "/" + $0.name == request.path }) else {
        return HTTPResponse(status: 404)
      }
      return HTTPResponse(
        status: 200, headers: [("Content-Type", medium.mimeType)], body: medium.bytes)
    }
    base = "https://localhost:\(server.port)"
  }

  func stop() async { await server.stop() }
}
