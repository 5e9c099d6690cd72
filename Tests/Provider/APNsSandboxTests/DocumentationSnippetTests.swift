import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import PushPayload
import TestSupport
import Testing
import _TLS

/// The code of each snippet in the documentation of APNsSandbox, as the documentation has it.
@Suite("Snippets of APNsSandbox's documentation", .timeLimit(.minutes(10)))
struct DocumentationSnippetTests {
  static let page = "Sources/Provider/APNsSandbox/APNsSandbox.docc/APNsSandbox.md"

  @Test("each snippet is code of this file")
  func text() throws {
    try expectSnippets(of: Self.page, in: #filePath)
  }

  @Test("start a sandbox in a test")
  func start() async throws {
    let notification = push()

    let certificates = try SandboxCertificates()
    let key = certificates.keyPEM
    var configuration = try VirtualAPNs.Configuration(certificates: certificates)
    configuration.providerKeys = [.init(teamID: "TEAM123456", keyID: "KEY1234567", pem: key)]
    let sandbox = try VirtualAPNs(configuration: configuration)
    let port = try await sandbox.start()

    let credentials = ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "KEY1234567", privateKeyPEM: key)
    var trusting = APNsClient.Configuration(
      credentials: .token(credentials), endpoint: .custom(host: "localhost", port: port))
    trusting.extraTrustPEM = certificates.authorityPEM
    let client = try APNsClient(configuration: trusting)

    let outcome = await client.send(notification)
    #expect(outcome.isSuccess)
    await client.close()
    await sandbox.stop()
  }

  @Test("read what arrived")
  func deliveries() async throws {
    let notification = push { $0.priority = 5 }
    var configuration = try makeConfiguration()

    let (deliveries, delivered) = AsyncStream.makeStream(of: SandboxDelivery.self)
    let (journal, written) = AsyncStream.makeStream(of: String.self)
    configuration.onDelivery = { delivered.yield($0) }
    configuration.journal = { written.yield($0) }

    let (edited, invalid) = (configuration, push("0a0"))
    let fixture = try await SandboxFixture.start {
      $0.onDelivery = edited.onDelivery
      $0.journal = edited.journal
    }
    let client = try fixture.client()
    #expect(await client.send(notification).isSuccess)
    #expect(await client.send(invalid).reason == .badDeviceToken)

    for await delivery in deliveries.prefix(1) {
      #expect(delivery.token == notification.deviceToken)
      #expect(delivery.headers["apns-priority"] == "5")
      #expect(delivery.payload == notification.payload)
    }

    var statuses: [Int64?] = []
    for await line in journal.prefix(2) {
      statuses.append(try JSONValue(parsing: Data(line.utf8))["status"]?.integer)
    }
    #expect(statuses == [200, 400])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("make device tokens inactive")
  func inactiveTokens() async throws {
    var configuration = try makeConfiguration()

    configuration.goneTokens = ["0a01": 1_700_000_000_000]  // 410 Unregistered
    configuration.expiredTokens = ["0a02": 1_700_000_000_000]  // 410 ExpiredToken
    configuration.foreignTokens = ["0a03"]  // 400 BadDeviceToken
    configuration.apps = ["0a04": "com.example.other"]  // 400 DeviceTokenNotForTopic

    let edited = configuration
    let fixture = try await SandboxFixture.start {
      $0.goneTokens = edited.goneTokens
      $0.expiredTokens = edited.expiredTokens
      $0.foreignTokens = edited.foreignTokens
      $0.apps = edited.apps
    }
    let client = try fixture.client()
    let tokens = ["0a01", "0a02", "0a03", "0a04", "0a05"]
    let outcomes = await client.send(tokens.map { push($0) })
    #expect(outcomes.map(\.status) == [410, 410, 400, 400, 200])
    #expect(
      outcomes.map(\.reason) == [
        .unregistered, .expiredToken, .badDeviceToken, .deviceTokenNotForTopic, nil,
      ])
    await fixture.sandbox.markGone("0a05", at: 1_700_000_000_000)
    #expect(await client.send(push("0a05")).reason == .unregistered)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("take a device offline")
  func offline() async throws {
    let notification = push("0a05")
    var configuration = try makeConfiguration()

    configuration.offlineStorage = .several

    let edited = configuration
    let fixture = try await SandboxFixture.start { $0.offlineStorage = edited.offlineStorage }
    let (sandbox, client) = (fixture.sandbox, try fixture.client())
    var arrived: [String] { fixture.record.delivered.map(\.token) }

    await sandbox.disconnect("0a05")
    let answer = await client.send(notification)
    #expect(answer.isSuccess)
    #expect(arrived.isEmpty)
    await sandbox.reconnect("0a05")
    #expect(arrived == ["0a05"])

    await client.close()
    await sandbox.stop()
  }

  @Test("decide about each push")
  func decision() async throws {
    var configuration = try makeConfiguration()

    configuration.decide = { push in
      push.token == "0a06" ? .refuse(status: 429, reason: "TooManyRequests") : .accept
    }

    let edited = configuration
    let fixture = try await SandboxFixture.start { $0.decide = edited.decide }
    let client = try fixture.client()
    let outcomes = await client.send([push("0a06"), push("0a07")])
    #expect(outcomes.map(\.status) == [429, 200])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("run a fault script")
  func script() async throws {
    let fixture = try await SandboxFixture.start()
    let (sandbox, client) = (fixture.sandbox, try fixture.client())
    let notifications = (1...30).map { push($0 == 5 ? "0a05" : "0b0b") }

    let script = FaultScript([
      .init(.goAway(reason: "Shutdown"), after: 10),
      .init(.answer(status: 429, reason: "TooManyRequests"), token: "0a05"),
    ])
    await sandbox.run(script)
    let outcomes = await client.send(notifications)

    #expect(outcomes[4].reason == .tooManyRequests)
    #expect(outcomes.filter(\.isSuccess).count == 29)
    #expect(Set(fixture.record.delivered.map(\.connection)).count >= 2)
    await client.close()
    await sandbox.stop()
  }

  @Test("read a fault script from JSON")
  func scriptOfJSON() throws {
    let script = try FaultScript(
      json: Data(
        #"""
        {"rules": [
          {"every": 5, "do": "latency", "value": "p50=20ms,p99=300ms"},
          {"at": "2s", "do": "refuse", "for": "500ms"}
        ]}
        """#.utf8))

    let latency = try #require(
      Latency.percentiles([50: .milliseconds(20), 99: .milliseconds(300)]))
    #expect(
      script.rules == [
        .init(.latency(latency), every: 5),
        .init(.refuseConnections, at: .seconds(2), lasting: .milliseconds(500)),
      ])
  }

  /// A configuration for a snippet to change.
  private func makeConfiguration() throws -> VirtualAPNs.Configuration {
    let leaf = try CertificateAuthority().issue(hosts: ["localhost"])
    return VirtualAPNs.Configuration(certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
  }
}
