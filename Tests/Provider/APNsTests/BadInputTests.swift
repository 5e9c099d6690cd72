import APNsTestSupport
import APNs
import Foundation
import TestSupport
import Testing
import _OpenSSLCrypto
import _TLS

@testable import APNs

/// Common configuration mistakes, whose messages must say what to do.
@Suite("Invalid configuration", .timeLimit(.minutes(10)))
struct BadInputTests {
  /// A key that `openssl genpkey` generates.
  private static func key(_ options: [String]) async throws -> String {
    let folder = TemporaryFolder()
    let output = folder.path("key.pem")
    _ = await runProgram(CertificateTests.openssl, ["genpkey", "-out", output] + options)
    return try String(contentsOfFile: output, encoding: .utf8)
  }

  @Test(
    "the error for a file that is no P-256 key names what is expected",
    arguments: [
      ("an empty file", ".p8"), ("a certificate", ".p8"), ("a public key", ".p8"),
      ("a key of P-384", "P-256"), ("a key of RSA", "P-256"),
    ])
  func keyFiles(kind: String, cure: String) async throws {
    let pem =
      switch kind {
      case "a certificate": try CertificateAuthority().certificatePEM
      case "a public key":
        try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
      case "a key of P-384":
        try await Self.key(["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"])
      case "a key of RSA": try await Self.key(["-algorithm", "RSA"])
      default: ""
      }
    var credentials = ProviderTokenCredentials.made()
    credentials.privateKeyPEM = pem
    let error = #expect(throws: APNsError.self) {
      try APNsClient(configuration: .init(credentials: .token(credentials)))
    }
    #expect(error?.code == .badCredentials)
    #expect(error?.message.contains(cure) == true, "\(error?.message ?? "")")
  }

  /// A fault of a server's certificate, of the credentials or of the clock.
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var hosts = ["127.0.0.1"]
    var validFrom = -3600
    var days = 397
    var isTrusted = true
    var reason: String?
    var message: String
    var cure: String
    var testDescription: String { name }
  }

  static let faults = [
    Fault(
      name: "another host name", hosts: ["api.example.com"], message: "mismatch",
      cure: "use a name that is in the certificate"),
    Fault(
      name: "an unknown authority", isTrusted: false, message: "self-signed",
      cure: "add the certificate of its authority to the trust"),
    Fault(
      name: "an expired certificate", validFrom: -10 * 86_400, days: 9,
      message: "has expired", cure: "is this machine's clock right?"),
    Fault(
      name: "a certificate that is not yet valid", validFrom: 86_400, message: "not yet valid",
      cure: "is this machine's clock right?"),
    Fault(
      name: "a token that APNs finds expired", reason: "ExpiredProviderToken", message: "clock",
      cure: "set the clock"),
    Fault(
      name: "a token issued in the future", reason: "InvalidProviderToken", message: "key id",
      cure: "this machine's clock"),
    Fault(
      name: "a key of the other environment", reason: "BadEnvironmentKeyIdInToken",
      message: "other environment", cure: "use that one's endpoint"),
  ]

  @Test(
    "a failed connection or refused credentials give the reason and what to do", arguments: faults)
  func connections(_ fault: Fault) async throws {
    let server = try ScriptedServer(
      hosts: fault.hosts, validFrom: fault.validFrom, days: fault.days
    ) { _ in
      fault.reason.map { .refusal(403, $0) } ?? .init()
    }
    defer { server.stop() }
    let other = try CertificateAuthority()
    let client = try server.client {
      if !fault.isTrusted { $0.extraTrustPEM = other.certificatePEM }
    }
    let outcome = await client.send(push())
    #expect(outcome.kind == (fault.reason == nil ? .neverSent : .answered))
    #expect(outcome.message?.contains(fault.message) == true, "\(outcome.message ?? "")")
    #expect(outcome.message?.contains(fault.cure) == true, "\(outcome.message ?? "")")
    await client.close()
  }

  @Test("a trust of 1000 certificates is read, and the error for a longer one names the limit")
  func longTrust() async throws {
    let pem = try CertificateAuthority().certificatePEM
    var configuration = APNsClient.Configuration(credentials: .token(.made()))
    configuration.extraTrustPEM = String(repeating: pem, count: 1000)
    await (try APNsClient(configuration: configuration)).close()
    configuration.extraTrustPEM? += pem
    let error = #expect(throws: APNsError.self) { try APNsClient(configuration: configuration) }
    #expect(error?.code == .badTrust)
    #expect(error?.message.contains("more than 1000 certificates") == true)
  }

  @Test("a key file that others may read is used, with a warning that says what to do")
  func exposedKey() async throws {
    let folder = TemporaryFolder()
    let path = try folder.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    for (mode, isExposed) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let credentials = try ProviderTokenCredentials(teamID: "T", keyID: "K", file: path)
      #expect((credentials.warning != nil) == isExposed)
      let log = WarningLog()
      var configuration = APNsClient.Configuration(credentials: .token(credentials))
      configuration.metrics = log
      await (try APNsClient(configuration: configuration)).close()
      #expect(log.warnings == [credentials.warning].compactMap(\.self))
      if isExposed { #expect(credentials.warning?.contains("chmod 600") == true) }
    }
  }

  @Test("the error for a key file that is missing, a folder or too large gives the reason")
  func unreadableKey() throws {
    let folder = TemporaryFolder()
    let limit = ProviderTokenCredentials.fileLimit
    let large = try folder.write(String(repeating: "x", count: limit + 1), to: "large")
    let largest = try folder.write(String(repeating: "x", count: limit), to: "largest")
    for (path, message) in [
      (folder.path("none"), "there is no such file"), (folder.url.path, "Is a directory"),
      (large, "more than 64 KiB"),
    ] {
      let error = #expect(throws: APNsError.self) {
        try ProviderTokenCredentials(teamID: "T", keyID: "K", file: path)
      }
      #expect(error?.code == .badCredentials)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    #expect(throws: Never.self) {
      try ProviderTokenCredentials(teamID: "T", keyID: "K", file: largest)
    }
  }

  @Test("a key is read from a pipe, too")
  func pipe() throws {
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let folder = TemporaryFolder()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o666) == 0)
    Thread.detachNewThread {
      try? Data(pem.utf8).write(to: URL(filePath: pipe))
    }
    let credentials = try ProviderTokenCredentials(teamID: "T", keyID: "K", file: pipe)
    #expect(credentials.privateKeyPEM == pem)
    #expect(credentials.warning == nil)
  }
}
