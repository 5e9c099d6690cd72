import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing
import _OpenSSLCrypto

/// The snippets of APNs' documentation, word for word, run against a sandbox.
@Suite("Snippets of APNs' documentation", .timeLimit(.minutes(10)))
struct DocumentationSnippetTests {
  @Test(
    "each snippet is code of this file",
    arguments: [
      "APNs.docc/APNs.md", "Client/APNsClient.swift", "Client/APNsOutcome.swift",
      "Notifications/APNsNotification.swift", "Credentials/APNsCredentials.swift",
      "Channels/APNsChannels.swift",
    ])
  func text(file: String) throws {
    try expectSnippets(of: "Sources/Provider/APNs/\(file)", in: #filePath)
  }

  private let payload = Array(#"{"aps":{"alert":"Rain at noon"}}"#.utf8)
  private let folder = TemporaryFolder()

  // MARK: The page

  @Test("make a client")
  func makeClient() async throws {
    let keyFile = try folder.write(OpenSSLCrypto.makeP256KeyPEM(), to: "AuthKey.p8")

    let key = try ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "KEY1234567", file: keyFile)
    let configuration = APNsClient.Configuration(
      credentials: .token(key), endpoint: .development)
    let client = try APNsClient(configuration: configuration)

    #expect(configuration.endpoint.host == "api.sandbox.push.apple.com")
    await client.close()
  }

  @Test("send one push")
  func sendOne() async throws {
    try await withClient { client, record in
      let payload = APNsPayload(aps: APS(alert: Alert(title: "Rain", body: "At noon")))
      let notification = APNsNotification(
        deviceToken: deviceToken, topic: "com.example.app", payload: Array(payload.encoded()))
      let outcome = await client.send(notification)
      if !outcome.isSuccess {
        print(outcome.status ?? 0, outcome.reason?.rawValue ?? outcome.message ?? "")
      }

      #expect(outcome.isSuccess)
      #expect(record.delivered.map(\.payload) == [notification.payload])
    }
  }

  @Test("send a batch")
  func sendBatch() async throws {
    let deviceTokens = ["0a01", "0a02", "0a03"]
    try await withClient {
      $0.goneTokens = ["0a02": 1_700_000_000_000]
    } _: { client, record in
      let notifications = deviceTokens.map { token in
        APNsNotification(deviceToken: token, topic: "com.example.app", payload: payload)
      }
      let outcomes = await client.send(notifications)
      var inactive: [String] = []
      for (notification, outcome) in zip(notifications, outcomes) where outcome.status == 410 {
        inactive.append(notification.deviceToken)
      }

      #expect(outcomes.map(\.status) == [200, 410, 200])
      #expect(outcomes[1].timestamp == Date(timeIntervalSince1970: 1_700_000_000))
      #expect(inactive == ["0a02"])
      #expect(Set(record.delivered.map(\.token)) == ["0a01", "0a03"])
    }
  }

  @Test("stream pushes of any number")
  func stream() async throws {
    let tokens = (0..<3000).map { "0a" + String(1000 + $0) }
    let deviceTokens = AsyncStream { continuation in
      for token in tokens { continuation.yield(token) }
      continuation.finish()
    }
    try await withClient {
      $0.goneTokens = ["0a1700": 1_700_000_000_000]
    } _: { client, record in
      let payload = payload
      let pushes = deviceTokens.map { token in
        APNsNotification(deviceToken: token, topic: "com.example.app", payload: payload)
      }
      var failed: [APNsNotification] = []
      for try await sent in client.send(pushes, window: 1000) where !sent.outcome.isSuccess {
        failed.append(sent.notification)
      }

      #expect(failed.map(\.deviceToken) == ["0a1700"])
      #expect(record.delivered.count == 2999)
    }
  }

  @Test("decide what to do after an outcome")
  func sendAgain() async throws {
    let clock = JumpingClock()
    let busy = Fault.answer(status: 503, reason: "ServiceUnavailable")
    let script = FaultScript([.init(busy, count: 2)])
    try await withClient {
      $0.script = script
    } _: { client, record in
      let notification = push()
      var outcome = await client.send(notification)
      var attempts = 1
      while attempts < 5 {
        let retry = outcome.retry(hasCollapseID: notification.collapseID != nil)
        guard retry.isAllowed else { break }
        try await clock.sleep(for: retry.delay(afterAttempts: attempts))
        outcome = await client.send(notification)
        attempts += 1
      }

      #expect(outcome.isSuccess)
      #expect(attempts == 3)
      #expect(record.delivered.count == 1)
    }
    // Apple asks for 15 minutes after a status of 500 and above, and the second delay is twice as long.
    #expect(clock.now.offset == .seconds(900 + 1800))
  }

  @Test("rotate the key")
  func rotate() async throws {
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let newKeyFile = try folder.write(pem, to: "NewKey.p8")
    try await withClient {
      $0.providerKeys.append(.init(teamID: "TEAM123456", keyID: "NEW1234567", pem: pem))
    } _: { client, record in
      #expect(await client.send(push()).isSuccess)

      let newKey = try ProviderTokenCredentials(
        teamID: "TEAM123456", keyID: "NEW1234567", file: newKeyFile)
      try await client.rotate(to: .token(newKey))

      #expect(await client.send(push()).isSuccess)
      #expect(Set(record.delivered.map(\.connection)).count >= 2)
    }
  }

  @Test("collect metrics")
  func metrics() async throws {
    let fixture = try await SandboxFixture.start { $0.goneTokens = ["0a02": 1_700_000_000_000] }
    var configuration = fixture.configuration
    let notifications = ["0a01", "0a02", "0a03"].map { push($0) }

    let counters = APNsCounters()
    configuration.metrics = counters
    let client = try APNsClient(configuration: configuration)
    let outcomes = await client.send(notifications)
    for (label, count) in counters.snapshot.ended {
      print(label.topic, label.status ?? 0, label.reason, count)
    }

    #expect(outcomes.map(\.status) == [200, 410, 200])
    let ended = counters.snapshot.ended
    #expect(Set(ended.keys.map(\.topic)) == ["com.example.app"])
    #expect(
      Dictionary(uniqueKeysWithValues: ended.map { ($0.key.reason, $0.value) })
        == ["": 2, "Unregistered": 1])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("broadcast to a channel")
  func broadcast() async throws {
    try await withClient { client, _ in
      let channels = client.channels(ofBundleID: "com.example.app")
      let match = try await channels.create(storing: .mostRecent)
      let update = LiveActivity.update(contentState: ["goals": 1], at: .now)
      let broadcast = try APNsBroadcast.liveActivity(
        update, to: match, expiration: .at(.now + 3600))
      let outcome = await channels.send(broadcast)

      #expect(outcome.isSuccess)
      #expect(outcome.apnsID == broadcast.id)
      #expect(try await channels.all() == [match.id])
    }
  }
}

// MARK: The types

extension DocumentationSnippetTests {
  @Test("of APNsClient")
  func client() async throws {
    let key = ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "KEY1234567", privateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
    // The push is invalid, so that it is not sent to the production environment of the snippet.
    let notification = push { $0.priority = 3 }

    let configuration = APNsClient.Configuration(credentials: .token(key), endpoint: .production)
    let client = try APNsClient(configuration: configuration)
    let outcome = await client.send(notification)
    print(outcome.isSuccess)
    await client.close()

    #expect(outcome.kind == .neverSent && outcome.isInvalid)
  }

  @Test("of a sequence of pushes")
  func sequence() async throws {
    let pushes = AsyncStream { continuation in
      for token in ["0a01", "0a02"] { continuation.yield(push(token)) }
      continuation.finish()
    }
    try await withClient {
      $0.goneTokens = ["0a02": 1]
    } _: { client, record in
      for try await sent in client.send(pushes) where !sent.outcome.isSuccess {
        print(sent.notification.deviceToken, sent.outcome)
      }

      #expect(record.delivered.map(\.token) == ["0a01"])
    }
  }

  @Test("of APNsNotification and APNsOutcome")
  func notificationAndOutcome() async throws {
    try await withClient { client, record in
      let payload = APNsPayload(aps: APS(alert: Alert(title: "Rain", body: "At noon")))
      let notification = APNsNotification(
        deviceToken: deviceToken, topic: "com.example.app", priority: 5, collapseID: "forecast",
        payload: Array(payload.encoded()))

      let outcome = await client.send(notification)
      switch outcome.kind {
      case .answered where outcome.isSuccess: print("accepted as \(outcome.apnsID)")
      case .answered: print("refused: \(outcome.reason?.rawValue ?? "")")
      case .neverSent, .maybeSent: print("no answer: \(outcome.message ?? "")")
      }
      let retry = outcome.retry(hasCollapseID: notification.collapseID != nil)

      #expect(outcome.isSuccess && retry == .never)
      #expect(outcome.apnsID == notification.id)
      #expect(record.delivered.map(\.collapseID) == ["forecast"])
      #expect(record.delivered.map { $0.headers["apns-priority"] } == ["5"])
    }
  }

  @Test("of APNsCredentials")
  func credentials() throws {
    let keyFile = try folder.write(OpenSSLCrypto.makeP256KeyPEM(), to: "AuthKey.p8")
    let (archive, password) = ([UInt8](), "secret")

    let key = try ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "KEY1234567", file: keyFile)
    let token = APNsCredentials.token(key)
    let certificate = APNsCredentials.certificate(.pkcs12(archive, password: password))

    let client = try APNsClient(configuration: APNsClient.Configuration(credentials: token))
    withExtendedLifetime(client) {}
    let error = #expect(throws: APNsError.self) {
      try APNsClient(configuration: APNsClient.Configuration(credentials: certificate))
    }
    #expect(error?.code == .badCredentials)
  }

  @Test("of APNsChannels")
  func channels() async throws {
    let end = Date.now + 3600
    try await withClient { client, _ in
      let channels = client.channels(ofBundleID: "com.example.app")
      let match = try await channels.create(storing: .mostRecent)
      let outcome = await channels.send(
        APNsBroadcast(to: match, expiration: .at(end), payload: payload))

      #expect(outcome.isSuccess)
    }
  }

  /// Runs a snippet with a client of a new sandbox, and stops both.
  private func withClient(
    _ edit: (inout VirtualAPNs.Configuration) -> Void = { _ in },
    _ snippet: (APNsClient, SandboxRecord) async throws -> Void
  ) async throws {
    let fixture = try await SandboxFixture.start(edit)
    try await APNsClient.with(fixture.configuration) { client in
      try await snippet(client, fixture.record)
    }
    await fixture.sandbox.stop()
  }
}

/// A clock that jumps to the deadline of each sleep.
private final class JumpingClock: Clock {
  private let time = Mutex(ManualClock.Instant(offset: .zero))

  var now: ManualClock.Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}
