import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import TestSupport
import Testing
import _TLS

/// Third-party clients and servers as peers of the sandbox and the client.
@Suite("Independent peers", .timeLimit(.minutes(10)))
struct IndependentPeerTests {
  @Test(
    "curl's push is accepted", .enabled(if: InstalledProgram.curl != nil, "curl is not installed"))
  func curl() async throws {
    let fixture = try await SandboxFixture.start()
    let directory = TemporaryFolder()
    let authority = try directory.write(fixture.authority.certificatePEM, to: "ca.pem")
    let result = try await runProgram(
      try #require(InstalledProgram.curl),
      [
        "--silent", "--http2", "--cacert", authority, "--write-out", "%{http_code} %{http_version}",
        "--header", "authorization: \(fixture.authorization())",
        "--header", "apns-topic: com.example.app", "--data", #"{"aps":{"alert":"curl"}}"#,
        "https://localhost:\(fixture.port)/3/device/\(deviceToken)",
      ])
    #expect(result.output == "200 2")
    #expect(fixture.record.delivered.count == 1)
    await fixture.sandbox.stop()
  }

  @Test(
    "the sandbox refuses a provider with TLS 1.1 and accepts one with TLS 1.2",
    .enabled(if: InstalledProgram.openssl != nil, "openssl is not installed"),
    arguments: [("-tls1_1", false), ("-tls1_2", true)])
  func oldProvider(version: String, isTaken: Bool) async throws {
    let fixture = try await SandboxFixture.start()
    let result = await runProgram(
      try #require(InstalledProgram.openssl),
      [
        "s_client", "-connect", "127.0.0.1:\(fixture.port)", version, "-alpn", "h2", "-cipher",
        "ALL:@SECLEVEL=0", "-brief",
      ])
    #expect((result.status == 0) == isTaken)
    await fixture.sandbox.stop()
  }

  @Test(
    "the client sends no push to a server with TLS 1.1",
    .enabled(if: InstalledProgram.openssl != nil, "openssl is not installed"))
  func oldServer() async throws {
    let server = try PeerServer(InstalledProgram.openssl) { place in
      [
        "s_server", "-accept", "\(place.host):\(place.port)", "-key", place.key,
        "-cert", place.certificate, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", "-alpn", "h2",
        "-quiet",
      ]
    }
    defer { server.stop() }
    let client = try server.client { $0.requestTimeout = .seconds(3) }
    let outcome = await server.firstOutcome(of: client)
    #expect(outcome.kind == .neverSent)
    #expect(outcome.message?.contains("version") == true, "\(outcome)")
    await client.close()
  }

  @Test(
    "h2load's pushes are all accepted",
    .enabled(if: InstalledProgram.h2load != nil, "h2load is not installed"))
  func h2load() async throws {
    let fixture = try await SandboxFixture.start { $0.slowStart = false }
    let directory = TemporaryFolder()
    let body = try directory.write(#"{"aps":{"alert":"h2load"}}"#, to: "body.json")
    let result = try await runProgram(
      try #require(InstalledProgram.h2load),
      [
        "-n", "3000", "-c", "3", "-m", "100", "-d", body,
        "-H", "authorization: \(fixture.authorization())", "-H", "apns-topic: com.example.app",
        "https://127.0.0.1:\(fixture.port)/3/device/\(deviceToken)",
      ])
    #expect(result.output.contains("3000 succeeded, 0 failed, 0 errored"))
    #expect(fixture.record.delivered.count == 3000)
    await fixture.sandbox.stop()
  }

  @Test(
    "nghttpd answers a batch",
    .enabled(if: InstalledProgram.nghttpd != nil, "nghttpd is not installed"))
  func nghttpd() async throws {
    let server = try PeerServer(InstalledProgram.nghttpd) { place in
      ["--echo-upload", "-a", place.host, String(place.port), place.key, place.certificate]
    }
    defer { server.stop() }
    let client = try server.client()
    #expect(await server.firstOutcome(of: client).isSuccess)
    let outcomes = await client.send(pushes(500))
    #expect(Set(outcomes.map(\.status)) == [200])
    await client.close()
  }
}
