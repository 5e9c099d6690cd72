import APNsTestSupport
import APNs
import Foundation
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto
import _TLS

@Suite("Certificate credentials", .timeLimit(.minutes(10)))
struct CertificateTests {
  static let openssl = "/usr/bin/openssl"

  /// A push certificate in files, and as an archive.
  struct Files {
    let folder = TemporaryFolder()
    let certificate: String
    let key: String

    init() throws {
      (certificate, key) = try CertificateAuthority().issue(hosts: ["com.example.app"])
    }

    func archive(_ options: [String] = []) async throws -> [UInt8] {
      let certificate = try folder.write(certificate, to: "certificate.pem")
      let key = try folder.write(key, to: "key.pem")
      let output = folder.url.appending(path: "push.p12")
      _ = await runProgram(
        CertificateTests.openssl,
        [
          "pkcs12", "-export", "-in", certificate, "-inkey", key, "-passout", "pass:secret", "-out",
          output.path,
        ] + options)
      return [UInt8](try Data(contentsOf: output))
    }
  }

  static func client(
    _ credentials: CertificateCredentials,
    _ edit: (inout APNsClient.Configuration) -> Void = { _ in }
  ) throws -> APNsClient {
    var configuration = APNsClient.Configuration(credentials: .certificate(credentials))
    edit(&configuration)
    return try APNsClient(configuration: configuration)
  }

  @Test(
    "PEM and PKCS #12 archives with current and legacy ciphers are read",
    arguments: [[], ["-legacy"]])
  func reads(options: [String]) async throws {
    let files = try Files()
    let archive = try await files.archive(options)
    await (try Self.client(.pem(certificate: files.certificate, key: files.key))).close()
    await (try Self.client(.pkcs12(archive, password: "secret"))).close()
  }

  @Test("errors for a wrong password, file or key give the reason without a secret")
  func refuses() async throws {
    let files = try Files()
    let archive = try await files.archive()
    let cases: [(CertificateCredentials, String)] = [
      (.pkcs12(archive, password: "no-secret"), "is the password right?"),
      (.pkcs12(Array("hello".utf8), password: "secret"), "no PKCS#12 archive"),
      (.pkcs12([UInt8](repeating: 0x30, count: 1 << 20 + 1), password: ""), "over 1 MiB"),
      (.pem(certificate: files.key, key: files.key), "no certificate"),
      (.pem(certificate: files.certificate, key: files.certificate), "no private key"),
      (
        .pem(certificate: files.certificate, key: OpenSSLCrypto.makeP256KeyPEM()),
        "does not belong to the certificate"
      ),
    ]
    for (credentials, message) in cases {
      let error = #expect(throws: APNsError.self) { try Self.client(credentials) }
      #expect(error?.message.contains(message) == true)
      #expect(!"\(credentials) \(String(describing: error))".contains("secret"))
    }
  }

  @Test("an archive is limited to 1 MiB")
  func largest() async throws {
    var archive = try await Files().archive()
    // Bytes after the outermost ASN.1 element are ignored.
    archive += [UInt8](repeating: 0, count: 1 << 20 - archive.count)
    await (try Self.client(.pkcs12(archive, password: "secret"))).close()
    archive.append(0)
    let error = #expect(throws: APNsError.self) {
      try Self.client(.pkcs12(archive, password: "secret"))
    }
    #expect(error?.message.contains("over 1 MiB") == true)
  }

  @Test("the error for an expired certificate says what to do")
  func expired() throws {
    let files = try Files()
    let error = #expect(throws: APNsError.self) {
      try Self.client(.pem(certificate: files.certificate, key: files.key)) {
        $0.now = { Int64(Date().timeIntervalSince1970) + 398 * 86400 }
      }
    }
    #expect(error?.message.contains("make a new one at developer.apple.com") == true)
  }

  @Test(
    "the client presents its certificate when the server requests one, and sends no token",
    .enabled(if: InstalledProgram.nghttpd != nil, "nghttpd is not installed"))
  func shown() async throws {
    let files = try Files()
    let server = try PeerServer(InstalledProgram.nghttpd) { place in
      [
        "--verify-client", "--echo-upload", "-a", place.host, String(place.port), place.key,
        place.certificate,
      ]
    }
    defer { server.stop() }
    let client = try server.client(
      .certificate(.pem(certificate: files.certificate, key: files.key)))
    #expect(await server.firstOutcome(of: client).status == 200)
    let query = await client.send(
      push {
        $0.pushType = .location; $0.topic = "com.example.app.location-query"
      })
    #expect(query.message?.contains("needs a provider token") == true)
    await client.close()
  }
}
