import Foundation
import PushPayload
import _DemoMedia
import _HTTPServer
import _OpenSSLCrypto
import _TLS

/// An HTTPS server for the binary's media, with its own certificate authority.
///
/// The media are also among the dashboard's uploads, so that the dashboard shows the pictures that
/// phones fetch.
struct DemoMediaServer: Sendable {
  let base: String
  /// The URLs of the media by their names in the binary.
  let urls: [String: String]
  /// The PEM file of the certificate authority, which phones must trust.
  let authorityFile: String
  private let server: HTTPServer

  /// Starts the server.
  ///
  /// The authority's file is written to one folder, and the media to the dashboard's uploads in the other.
  init(folder: URL, uploads: URL) throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["localhost", "127.0.0.1"])
    let file = folder.appending(path: "media-ca.pem")
    try Data(authority.certificatePEM.utf8).write(to: file)
    authorityFile = file.path(percentEncoded: false)
    var configuration = HTTPServer.Configuration()
    configuration.tls = (leaf.certificatePEM, leaf.keyPEM)
    try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
    var names: [String: String] = [:]
    for medium in DemoMedium.all {
      let digest = Array(OpenSSLCrypto.sha256(medium.bytes).prefix(16))
      let name = digest.hexadecimal + medium.name.drop { $0 != "." }
      names[medium.name] = name
      try Data(medium.bytes).write(to: uploads.appending(path: name))
    }
    server = try HTTPServer(configuration) { [names] request in
      let medium = DemoMedium.all.first { medium in
        names[medium.name].map { "/media/" + $0 } == request.path
      }
      guard let medium else { return HTTPResponse(status: 404) }
      return HTTPResponse(
        status: 200, headers: [("Content-Type", medium.mimeType)], body: medium.bytes)
    }
    let base = "https://localhost:\(server.port)"
    self.base = base
    urls = names.mapValues { base + "/media/" + $0 }
  }

  func stop() async { await server.stop() }
}
