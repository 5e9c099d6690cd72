import Foundation
import NotificationHost
import NotificationHostTesting
import TestSupport
import Testing
import UserNotifications
import _Curl
import _HTTPServer
import _TLS

@Suite("A URLSession over a real network", .timeLimit(.minutes(10)))
struct RealSessionTests {
  @Test(
    "sends the method and the body",
    arguments: [
      ("GET", nil), ("POST", "a body"), ("PUT", "a body"), ("PATCH", ""), ("DELETE", nil),
      ("POST", nil),
    ])
  func methods(method: String, body: String?) async throws {
    let folder = TemporaryFolder()
    let authority = try CertificateAuthority()
    _ = try folder.write(authority.certificatePEM.utf8, to: "ca.pem")
    let leaf = try authority.issue(hosts: ["localhost"])
    var configuration = HTTPServer.Configuration()
    configuration.tls = (leaf.certificatePEM, leaf.keyPEM)
    let server = try HTTPServer(configuration) { request in
      let text = "\(request.method) \(String(decoding: request.body, as: UTF8.self))"
      return HTTPResponse(status: 200, body: Array(text.utf8))
    }
    let clock = VirtualClock()
    let loader = RealNetwork(
      CurlMediaLoader(caFile: folder.file("ca.pem").path()), clock: clock)
    let url = "https://localhost:\(server.port)/"
    let phone = try TestPhone(clock: clock) { app in
      app.network = loader
    } makeExtension: {
      SessionExtension { reply in
        let request = SessionExtension.request(url, method: method, body: body)
        URLSession.shared.dataTask(with: request) { data, _, error in
          reply(
            data.map { String(decoding: $0, as: UTF8.self) } ?? SessionExtension.describe(error))
        }.resume()
      }
    }
    let report = try await phone.deliver(#"{"aps": {"alert": "Hi", "mutable-content": 1}}"#)
    report.expect(.displayed, body: "\(method) \(body ?? "")")
    await server.stop()
  }
}
