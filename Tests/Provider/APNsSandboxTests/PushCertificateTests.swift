import APNsConformance
import APNsTestSupport
import APNs
import APNsSandbox
import PushPayload
import TestSupport
import Testing

@testable import _TLS

@Suite("Push certificates in the sandbox", .timeLimit(.minutes(10)))
struct PushCertificateTests {
  static let all = ["com.example.app", "com.example.app.voip", "com.example.app.complication"]

  /// The responses to pushes over a connection with a certificate and without a provider token.
  private func answers(
    topics: [String] = all, to pushed: [(type: String, topic: String?)], days: Int = 365,
    signedByAnother: Bool = false, needsTrust: Bool = true
  ) async throws -> [String] {
    let authority = try CertificateAuthority()
    let signer = signedByAnother ? try CertificateAuthority() : authority
    let (certificate, key) = try signer.issuePushCertificate(
      topics: topics, validFrom: -2 * 86_400, days: days)
    let fixture = try await SandboxFixture.start {
      $0.clientAuthorityPEM = needsTrust ? authority.certificatePEM : nil
    }
    let client = try await RawClient.connect(
      fixture, identity: TLSIdentity(certificatePEM: certificate, keyPEM: key))
    var answers: [String] = []
    for (type, topic) in pushed {
      var request = RawRequest(authorization: "")
      request["authorization"] = nil
      request["apns-push-type"] = type
      request["apns-topic"] = topic
      let answer = try await client.send(request)
      answers.append("\(answer.status) \(answer.json?["reason"]?.string ?? "-")")
    }
    await fixture.sandbox.stop()
    return answers
  }

  @Test("a certificate is valid for its own topics only")
  func topics() async throws {
    let answers = try await answers(to: [
      ("alert", "com.example.app"), ("voip", "com.example.app.voip"),
      ("alert", "com.example.other"), ("location", "com.example.app.location-query"),
      ("liveactivity", "com.example.app.push-type.liveactivity"), ("alert", nil),
    ])
    #expect(
      answers == [
        "200 -", "200 -", "400 TopicDisallowed", "400 TopicDisallowed", "400 TopicDisallowed",
        "400 MissingTopic",
      ])
  }

  @Test("apns-topic is optional for a certificate with a single topic")
  func impliedTopic() async throws {
    let answers = try await answers(topics: ["com.example.app"], to: [("alert", nil)])
    #expect(answers == ["200 -"])
  }

  @Test(
    "an expired certificate, or one of an untrusted authority, is BadCertificate",
    arguments: [
      (365, false, true, "200 -"), (1, false, true, "403 BadCertificate"),
      (1, false, false, "403 BadCertificate"), (365, true, true, "403 BadCertificate"),
      (365, true, false, "200 -"),
    ])
  func trust(days: Int, signedByAnother: Bool, needsTrust: Bool, expected: String) async throws {
    let answers = try await answers(
      to: [("alert", "com.example.app")], days: days, signedByAnother: signedByAnother,
      needsTrust: needsTrust)
    #expect(answers == [expected])
  }

  @Test("a certificate without a topic is BadCertificate, even with a valid provider token")
  func noTopic() async throws {
    let fixture = try await SandboxFixture.start()
    let (certificate, key) = try fixture.authority.issue(hosts: ["localhost"])
    let client = try await RawClient.connect(
      fixture, identity: TLSIdentity(certificatePEM: certificate, keyPEM: key))
    let answer = try await client.send(RawRequest(authorization: fixture.authorization()))
    #expect(answer.json?["reason"] == "BadCertificate")
    await fixture.sandbox.stop()
  }

  @Test(
    "the client's pushes with a certificate are accepted, also after TLS session resumption",
    arguments: [true, false])
  func client(knowsAuthority: Bool) async throws {
    let authority = try CertificateAuthority()
    let (certificate, key) = try authority.issuePushCertificate(topics: Self.all)
    let fixture = try await SandboxFixture.start {
      $0.clientAuthorityPEM = knowsAuthority ? authority.certificatePEM : nil
      $0.script = FaultScript([FaultScript.Rule(.drop, after: 1)])
    }
    var configuration = APNsClient.Configuration(
      credentials: .certificate(.pem(certificate: certificate, key: key)),
      endpoint: .custom(host: "localhost", port: fixture.port))
    configuration.extraTrustPEM = fixture.authority.certificatePEM
    let client = try APNsClient(configuration: configuration)
    #expect(await client.send(push()).status == 200)
    // The second push meets the fault; the third uses another connection.
    _ = await client.send(push())
    #expect(
      await client.send(
        push {
          $0.topic += ".voip"; $0.pushType = .voip
        }
      ).status == 200)
    #expect(await client.send(push { $0.topic = "com.example.other" }).reason == .topicDisallowed)
    #expect(fixture.record.delivered.last?.topic == "com.example.app.voip")
    #expect(Set(fixture.record.delivered.map(\.connection)).count == 2)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a certificate can be issued for topics of 1 to 100 bytes", arguments: [0, 1, 100, 101])
  func topicLength(count: Int) throws {
    let authority = try CertificateAuthority()
    let topic = String(repeating: "a", count: count)
    if 1...100 ~= count {
      let made = try authority.issuePushCertificate(topics: [topic])
      let identity = try TLSIdentity(certificatePEM: made.certificatePEM, keyPEM: made.keyPEM)
      #expect(identity.userID == topic)
    } else {
      #expect(throws: TLSError.self) { try authority.issuePushCertificate(topics: [topic]) }
    }
  }

  @Test("topic lists up to the limit are read, and longer or malformed ones are not")
  func list() {
    for topics in [Self.all, [], [String(repeating: "a", count: 100)]] {
      #expect(PushTopics.read(PushTopics.encoded(topics)) == topics)
    }
    let most = (0..<PushTopics.limit).map { "com.example.app\($0)" }
    #expect(PushTopics.read(PushTopics.encoded(most)) == most)
    #expect(PushTopics.read(PushTopics.encoded(most + ["one.more"])) == nil)
    let bad: [[UInt8]] = [
      [], [0x30], [0x30, 1], [0x0c, 0], [0x30, 0, 0], [0x30, 0x80], [0x30, 0x81], [0x30, 0x82, 0],
      [0x30, 0x83, 0, 0, 0], [0x30, 2, 0x0c, 1], [0x30, 3, 0x0c, 2, 0x61],
      [0x30, 0x82, 0xff, 0xff],
    ]
    for bytes in bad { #expect(PushTopics.read(bytes) == nil, "\(bytes)") }
  }

  @Test("no bytes crash the parser of topic lists")
  func hostile() {
    var random = SeededGenerator(seed: 5)
    let list = PushTopics.encoded(Self.all)
    for _ in 0..<20_000 {
      var bytes = Array(list.prefix(Int(random.next() % UInt64(list.count + 1))))
      for _ in 0..<3 where !bytes.isEmpty {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if let topics = PushTopics.read(bytes) { #expect(topics.count <= PushTopics.limit) }
    }
  }
}
