import APNs
import APNsSandbox
import APNsTestSupport
import PushPayload
import Synchronization
import Testing

/// The closure that decides about pushes, and the certificates that a test makes.
@Suite("Decisions and certificates of a test", .timeLimit(.minutes(10)))
struct SandboxDecisionTests {
  @Test("the closure accepts, refuses with any status and reason, or gives no answer")
  func decisions() async throws {
    let asked = Mutex<[SandboxDelivery]>([])
    let fixture = try await SandboxFixture.start {
      $0.goneTokens = ["dead": 1]
      $0.decide = { push in
        asked.withLock { $0.append(push) }
        switch push.token {
        case "01": return .refuse(status: 429, reason: "TooManyRequests")
        case "02": return .refuse(status: 410, reason: "Unregistered", timestamp: 7)
        case "03": return .stall
        default: return .accept
        }
      }
    }
    // The push that stalls takes as long.
    let client = try await fixture.connectedClient(requestTimeout: .seconds(10))
    asked.withLock { $0 = [] }
    let before = fixture.record.delivered.count
    let outcomes = await client.send(["0a", "01", "02", "03", "dead"].map { push($0) })
    #expect(outcomes.map(\.status) == [200, 429, 410, nil, 410])
    #expect(outcomes[1].reason == .tooManyRequests)
    #expect(outcomes[2].inactiveSince == 7)
    #expect(outcomes[3].kind == .maybeSent)
    // It is asked only about pushes that the checks accept, and only those that it accepts are delivered.
    let questions = asked.withLock(\.self)
    #expect(Set(questions.map(\.token)) == ["0a", "01", "02", "03"])
    #expect(questions.allSatisfy { $0.topic == "com.example.app" && !$0.payload.isEmpty })
    #expect(fixture.record.delivered.dropFirst(before).map(\.token) == ["0a"])
    let lines = try fixture.record.journal.suffix(5).map { try JSONValue(parsing: $0) }
    let statuses = Dictionary(lines.map { ($0["token"]?.string ?? "", $0["status"]) }) { $1 }
    #expect(statuses["03"] == .some(.null))
    #expect(statuses["01"] == .some(429))
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a push that a fault script answers is not asked about")
  func scripted() async throws {
    let counter = Counter()
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.answer(status: 503), token: "05")])
      $0.decide = { _ in
        _ = counter.next()
        return .accept
      }
    }
    let client = try fixture.client()
    #expect(await client.send(push("05")).status == 503)
    #expect(counter.count == 0)
    #expect(await client.send(push("06")).status == 200)
    #expect(counter.count == 1)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test(
    "a sandbox with certificates made in the test is trusted, and so is a push certificate of theirs"
  )
  func certificates() async throws {
    let certificates = try SandboxCertificates()
    var configuration = try VirtualAPNs.Configuration(certificates: certificates)
    configuration.clientAuthorityPEM = certificates.authorityPEM
    let sandbox = try VirtualAPNs(configuration: configuration)
    let port = try await sandbox.start()
    // The same authority, read again, issues what its clients trust.
    let kept = try SandboxCertificates(
      authorityPEM: certificates.authorityPEM, keyPEM: certificates.keyPEM)
    for authority in [certificates, kept] {
      let provider = try authority.issueProvider(topics: ["com.example.app"])
      var client = APNsClient.Configuration(
        credentials: .certificate(
          .pem(certificate: provider.certificatePEM, key: provider.keyPEM)),
        endpoint: .custom(host: "localhost", port: port))
      client.extraTrustPEM = authority.authorityPEM
      let outcomes = try await APNsClient.with(client) { client in
        await client.send([push(), push { $0.topic = "com.example.other" }])
      }
      #expect(outcomes.map(\.status) == [200, 400])
      #expect(outcomes[1].reason == .topicDisallowed)
    }
    await sandbox.stop()
  }

  @Test("hosts, topics and keys that cannot be used are errors in words")
  func errors() throws {
    let certificates = try SandboxCertificates()
    for hosts in [[], ["a b"], [""]] {
      #expect(throws: SandboxError.self) { try certificates.issueServer(hosts: hosts) }
    }
    for topics in [[], [""], [String(repeating: "x", count: 101)]] {
      #expect(throws: SandboxError.self) { try certificates.issueProvider(topics: topics) }
    }
    _ = try certificates.issueProvider(topics: [String(repeating: "x", count: 100)])
    #expect {
      try SandboxCertificates(authorityPEM: "nonsense", keyPEM: certificates.keyPEM)
    } throws: {
      ($0 as? SandboxError)?.code == .badCertificate && !"\($0)".contains("PRIVATE KEY-----")
    }
  }
}
