import APNsTestSupport
import APNs
import APNsSandbox
import PushPayload
import Synchronization
import Testing
import _EventLoop
import _TLS

@Suite("APNs client", .timeLimit(.minutes(10)))
struct ClientTests {
  @Test("a push is answered 200 with its own apns-id and a unique id")
  func success() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let notification = push()
    let outcome = await client.send(notification)
    #expect(outcome.isSuccess)
    #expect(outcome.kind == .answered)
    #expect(outcome.apnsID == notification.id)
    #expect(outcome.apnsUniqueID?.count == 36)
    #expect(outcome.message == nil)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("every push gets its own id, a lowercase UUID")
  func ids() throws {
    let ids = pushes(10_000).map(\.id)
    #expect(Set(ids).count == ids.count)
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(try ids.allSatisfy { try form.wholeMatch(in: $0) != nil })
  }

  @Test("a payload that many pushes share is stored once")
  func sharedPayload() {
    let payload = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
    let places = (0..<1000).map { number in
      let push = APNsNotification(deviceToken: "\(number)", topic: "t", payload: payload)
      return push.payload.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    #expect(Set(places).count == 1)
  }

  @Test("the default configuration has its documented limits")
  func defaults() {
    let configuration = APNsClient.Configuration(credentials: .token(.made()))
    #expect(configuration.requestTimeout == .seconds(30))
    #expect(configuration.connectTimeout == .seconds(10))
    #expect(configuration.maxConnections == 4)
    #expect(configuration.queueLimit == 1_000_000)
    #expect(configuration.whenQueueIsFull == .shed)
    #expect(configuration.endpoint == .production)
  }

  @Test("the outcomes of a batch come in order, under any stream limit", arguments: [1, 3, 100])
  func streamLimit(limit: Int) async throws {
    let fixture = try await SandboxFixture.start { $0.maxStreams = limit }
    let client = try fixture.client()
    let batch = pushes(500)
    let outcomes = await client.send(batch)
    #expect(Set(outcomes.map(\.status)) == [200])
    #expect(outcomes.map(\.apnsID) == batch.map(\.id))
    #expect(fixture.record.counts.count == 500)
    #expect(Set(fixture.record.counts.values) == [1])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("pushes from many tasks share one connection")
  func manyCallers() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let succeeded = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { await client.send(push()).isSuccess } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(succeeded == 200)
    let onFirst = fixture.record.journal.filter { $0.contains(#""connection":1,"#) }
    #expect(onFirst.count == 200)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("an empty batch has no outcomes")
  func emptyBatch() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    #expect(await client.send([]).isEmpty)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a server with an unknown authority is not trusted, and the push is never sent")
  func wrongAuthority() async throws {
    let fixture = try await SandboxFixture.start()
    let other = try CertificateAuthority()
    let client = try fixture.client { $0.extraTrustPEM = other.certificatePEM }
    let outcome = await client.send(push())
    #expect(outcome.kind == .neverSent)
    #expect(outcome.message?.contains("certificate") == true)
    #expect(fixture.record.journal.isEmpty)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a certificate for another name is refused, and the push is never sent")
  func wrongName() async throws {
    let fixture = try await SandboxFixture.start(hosts: ["api.example.com"])
    let client = try fixture.client()
    let outcome = await client.send(push())
    #expect(outcome.kind == .neverSent)
    #expect(outcome.message?.lowercased().contains("hostname mismatch") == true)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("an address in the certificate is trusted like a name")
  func addressInCertificate() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client(host: "127.0.0.1")
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("without a listener a push is never sent, and the message names host and port")
  func nothingListens() async throws {
    let fixture = try await SandboxFixture.start()
    await fixture.sandbox.stop()
    let client = try fixture.client { $0.requestTimeout = .seconds(2) }
    let outcome = await client.send(push())
    #expect(outcome.kind == .neverSent)
    #expect(outcome.message?.contains("localhost port \(fixture.port)") == true)
    await client.close()
  }

  @Test("a push that APNs does not answer in time is maybe sent")
  func deadline() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.stall, token: "ff")])
    }
    let client = try await fixture.connectedClient(requestTimeout: .milliseconds(100))
    let outcome = await client.send(push("ff"))
    #expect(outcome.kind == .maybeSent)
    #expect(outcome.message?.contains("did not answer") == true)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a push that gets no stream before its deadline is never sent")
  func deadlineInQueue() async throws {
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 1
      $0.script = FaultScript([.init(.stall, token: "ff")])
    }
    let client = try await fixture.connectedClient(requestTimeout: .milliseconds(100))
    let outcomes = await client.send([push("ff"), push(), push()])
    #expect(outcomes.map(\.kind) == [.maybeSent, .neverSent, .neverSent])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("after a push without a response the next push uses a new connection")
  func silentConnection() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.stall, token: "ff")])
    }
    let client = try await fixture.connectedClient(requestTimeout: .milliseconds(100))
    #expect(await client.send(push("ff")).kind == .maybeSent)
    // On a busy machine connecting alone may exceed the request timeout.
    while await !client.send(push()).isSuccess {}
    let connections = try fixture.record.journal.map { try JSONValue(parsing: $0) }
    let silent = try #require(connections.last { $0["status"] == .null }?["connection"]?.integer)
    #expect(try #require(connections.last?["connection"]?.integer) > silent)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("requests in flight when the connection is lost are maybe sent")
  func serverDies() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.drop, after: 5), .init(.stall, after: 1, count: 4)])
    }
    let client = try fixture.client()
    #expect(await client.send(push()).isSuccess)
    let outcomes = await client.send(pushes(5))
    #expect(Set(outcomes.map(\.kind)) == [.maybeSent])
    #expect(!outcomes.map(\.message).contains(nil))
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("after a lost connection the next push connects again")
  func reconnects() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.drop, after: 1)])
    }
    let client = try fixture.client()
    #expect(await client.send(push()).isSuccess)
    #expect(await client.send(push()).kind == .maybeSent)
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("streams above the last one of a GOAWAY are sent again, exactly once")
  func goAway() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.goAway(), every: 97)])
    }
    let client = try fixture.client()
    let outcomes = await client.send(pushes(1000))
    #expect(Set(outcomes.map(\.status)) == [200])
    #expect(fixture.record.counts.count == 1000)
    #expect(Set(fixture.record.counts.values) == [1])
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a refused stream is sent again, exactly once")
  func refusedStream() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.refuse, every: 3)])
    }
    let client = try fixture.client()
    let outcomes = await client.send(pushes(300))
    #expect(Set(outcomes.map(\.status)) == [200])
    #expect(fixture.record.counts.count == 300)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a push that is always refused ends as never sent")
  func alwaysRefused() async throws {
    let fixture = try await SandboxFixture.start { $0.script = FaultScript([.init(.refuse)]) }
    let client = try fixture.client { $0.requestTimeout = .seconds(2) }
    let outcome = await client.send(push())
    // Its deadline may come while a request is in flight, which makes it maybe sent.
    if outcome.kind == .neverSent {
      #expect(outcome.message?.contains("refused the request") == true)
    }
    #expect(outcome.kind != .answered)
    // The backoff is 5 ms, 10 ms, 20 ms …; without it there would be more than a hundred requests.
    #expect(2..<20 ~= fixture.record.journal.count)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a closed client sends nothing")
  func closed() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await client.close()
    #expect(await client.send(push()).kind == .neverSent)
    await fixture.sandbox.stop()
  }

  @Test("a stopping sandbox answers the requests that it has received")
  func stopDrains() async throws {
    let taken = AsyncStream<Void>.makeStream()
    let fixture = try await SandboxFixture.start {
      $0.latency = .fixed(.milliseconds(50))
      $0.journal = { _ in taken.continuation.yield() }
    }
    let client = try fixture.client()
    async let outcome = client.send(push())
    for await _ in taken.stream { break }
    await fixture.sandbox.stop()
    #expect(await outcome.isSuccess)
    await client.close()
  }

  @Test(
    "a device token that is not hexadecimal cannot change the request",
    arguments: ["../x", "a b", "ü\r\n"])
  func hostileToken(token: String) async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let outcome = await client.send(push(token))
    #expect(outcome.status == 400)
    #expect(outcome.reason == .badDeviceToken)
    await client.close()
    await fixture.sandbox.stop()
  }
}
