import APNs
import APNsConformance
import APNsSandbox
import APNsTestSupport
import Foundation
import Testing
import _TLS

@Suite("The sandbox against the rules about servers", .timeLimit(.minutes(5)))
struct SandboxConformanceTests {
  static let rules = (try? ConformanceRules.all().filter { $0.serverCase != nil }) ?? []

  private static func target(_ fixture: SandboxFixture) throws -> ServerTarget {
    let credentials = fixture.credentials
    var target = ServerTarget(
      host: "localhost", port: fixture.port,
      identity: try ProviderIdentity(
        teamID: credentials.teamID, keyID: credentials.keyID, keyPEM: credentials.privateKeyPEM))
    target.verifiesSignatures = true
    target.goneToken = "00dead00"
    target.trustPEM = fixture.authority.certificatePEM
    return target
  }

  @Test("the sandbox keeps each rule", arguments: rules)
  func keeps(rule: ConformanceRule) async throws {
    let fixture = try await SandboxFixture.start { $0.goneTokens = ["00dead00": 1_764_370_800_000] }
    let run = ServerConformance(try Self.target(fixture)) { Int64(Date().timeIntervalSince1970) }
    try await run.checkThatPlainPushIsAccepted()
    let result = await run.check(rule)
    #expect(result.outcome == .held, "\(result.line)")
    #expect(!result.sent.isEmpty && result.sent.count == result.came.count)
    await fixture.sandbox.stop()
  }

  @Test("a server that does not keep a rule fails it, and the result says what differs")
  func fails() async throws {
    let fixture = try await SandboxFixture.start {
      $0.slowStart = false
      $0.decide = { $0.collapseID == nil ? .accept : .refuse(status: 400, reason: "BadTopic") }
    }
    let run = ServerConformance(try Self.target(fixture)) { Int64(Date().timeIntervalSince1970) }
    for (id, difference) in [
      ("connection.slow-start", "the server allows 1000 streams, and not 1"),
      ("header.collapse-id", "the status is 400, and not 200"),
    ] {
      let result = await run.check(try #require(Self.rules.first { $0.id == id }))
      #expect(result.outcome == .failed)
      #expect(result.problem?.contains(difference) == true, "\(result.line)")
    }
    await fixture.sandbox.stop()
  }

  @Test("a rule whose need is not met is skipped, and says why")
  func skips() async throws {
    let fixture = try await SandboxFixture.start()
    var target = try Self.target(fixture)
    target.verifiesSignatures = false
    target.goneToken = nil
    let run = ServerConformance(target) { Int64(Date().timeIntervalSince1970) }
    for id in ["provider-token.signature", "request.token-gone", "client.ping"] {
      let rule = try #require(try ConformanceRules.all().first { $0.id == id })
      let result = await run.check(rule)
      #expect(result.outcome == .skipped && result.problem != nil)
    }
    await fixture.sandbox.stop()
  }

  @Test("a server that refuses a push without a fault, or is not there, cannot be checked")
  func unusable() async throws {
    let fixture = try await SandboxFixture.start()
    var target = try Self.target(fixture)
    target.identity = try .made()
    let refused = await #expect(throws: ConformanceError.self) {
      try await ServerConformance(target) { 1_764_370_800 }.checkThatPlainPushIsAccepted()
    }
    #expect(refused?.code == .notAccepted)
    #expect(refused?.message.contains("403 InvalidProviderToken") == true)
    await fixture.sandbox.stop()
    let gone = await #expect(throws: ConformanceError.self) {
      try await ServerConformance(target) { 1_764_370_800 }.checkThatPlainPushIsAccepted()
    }
    #expect(gone?.code == .unreachable)
  }
}
