import APNsTestSupport
import APNsSandbox
import Testing

@testable import APNs

@Suite("Metrics of a client", .timeLimit(.minutes(10)))
struct MetricsTests {
  @Test("closing a client counts its open connections as closed")
  func closing() async throws {
    let fixture = try await SandboxFixture.start()
    let counters = APNsCounters()
    let client = try fixture.client { $0.metrics = counters }
    #expect(await client.send(push()).isSuccess)
    #expect(counters.snapshot.connections.count == 1)
    await client.close()
    #expect(counters.snapshot.connections.isEmpty)
    #expect(counters.snapshot.opened == 1)
    #expect(counters.snapshot.closed == ["the client was closed": 1])
    await fixture.sandbox.stop()
  }

  @Test("every push is counted once by topic, status and reason, and every connection once")
  func counts() async throws {
    let fixture = try await SandboxFixture.start {
      $0.goneTokens = ["ee": 1]
      $0.script = FaultScript([.init(.drop, token: "dd")])
    }
    let counters = APNsCounters()
    let client = try fixture.client { $0.metrics = counters }
    #expect(await client.send(push()).isSuccess)
    _ = await client.send(pushes(9) + [push("ee"), push { $0.priority = 3 }])
    #expect(counters.snapshot.connections.values.reduce(0, +) == 11)
    _ = await client.send(push("dd"))
    await client.close()

    let snapshot = counters.snapshot
    let topic = "com.example.app"
    #expect(
      snapshot.ended == [
        .init(topic: topic, status: 200, reason: ""): 10,
        .init(topic: topic, status: 410, reason: "Unregistered"): 1,
        .init(topic: topic, status: nil, reason: "never-sent"): 1,
        .init(topic: topic, status: nil, reason: "maybe-sent"): 1,
      ])
    #expect(snapshot.opened == 1 && snapshot.closed.values.reduce(0, +) == 1)
    #expect(snapshot.onEndedConnections == 12)
    let durations = snapshot.durations.mapValues { $0.counts.reduce(0, +) }
    #expect(
      durations == [
        .init(topic: topic, status: 200, reason: ""): 10,
        .init(topic: topic, status: 410, reason: "Unregistered"): 1,
      ])
    #expect(snapshot.durations.values.allSatisfy { $0.total > .zero })
    #expect(snapshot.inFlight == 0 && snapshot.waiting == 0)
    await fixture.sandbox.stop()
  }

  @Test("metrics report a lost connection after the pushes that were on it")
  func order() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.drop, token: "dd")])
    }
    let (events, continuation) = AsyncStream<String>.makeStream()
    let client = try fixture.client { $0.metrics = EventRecorder { continuation.yield($0) } }
    #expect(await client.send(push("dd")).kind == .maybeSent)
    await client.close()
    continuation.finish()
    var all: [String] = []
    for await event in events { all.append(event) }
    #expect(all == ["opened 1", "ended on 1", "closed 1"])
    await fixture.sandbox.stop()
  }

  @Test(
    "a duration counts in the first bucket whose bound it does not exceed",
    arguments: [(5, 0), (6, 1), (10, 1), (10_000, 10), (10_001, 11)])
  func buckets(milliseconds: Int, bucket: Int) {
    let counters = APNsCounters()
    counters.ended(
      APNsOutcome(kind: .answered, status: 200, apnsID: "x"), topic: "t", connection: nil,
      duration: .milliseconds(milliseconds))
    let durations = counters.snapshot.durations
    #expect(durations.map(\.key) == [.init(topic: "t", status: 200, reason: "")])
    #expect(durations.values.first?.counts.firstIndex(of: 1) == bucket)
  }

  @Test("consecutive pushes with the same ending are counted in every snapshot")
  func runs() {
    let counters = APNsCounters()
    counters.opened(connection: 1)
    counters.opened(connection: 2)
    func end(_ status: Int, on connection: Int) {
      counters.ended(
        APNsOutcome(kind: .answered, status: status, apnsID: "x"), topic: "t",
        connection: connection, duration: .milliseconds(status))
    }
    let (good, bad) = (
      APNsCounters.Label(topic: "t", status: 200, reason: ""),
      APNsCounters.Label(topic: "t", status: 500, reason: "")
    )
    end(200, on: 1)
    end(200, on: 1)
    #expect(counters.snapshot.ended == [good: 2])
    end(200, on: 1)
    end(200, on: 2)
    end(500, on: 2)
    #expect(counters.snapshot.ended == [good: 4, bad: 1])
    #expect(counters.snapshot.connections == [1: 3, 2: 2])
    #expect(counters.snapshot.durations[good]?.total == .milliseconds(800))
    #expect(counters.snapshot.durations[bad]?.total == .milliseconds(500))
    end(500, on: 2)
    counters.closed(connection: 2, reason: "idle")
    #expect(counters.snapshot.onEndedConnections == 3)
    #expect(counters.snapshot.connections == [1: 3])
  }

  @Test("at most a thousand labels are distinguished, and further ones count as other")
  func labels() {
    let counters = APNsCounters()
    for number in 0..<1002 {
      let reason = APNsReason(rawValue: "Reason\(number)")
      counters.ended(
        APNsOutcome(kind: .answered, status: 418, reason: reason, apnsID: "x"), topic: "t",
        connection: nil, duration: nil)
    }
    #expect(counters.snapshot.ended.count == 1001)
    #expect(counters.snapshot.ended[.init(topic: "other", status: 400, reason: "other")] == 2)
  }

  @Test("at most a thousand reasons for closing are distinguished, and further ones are other")
  func closedReasons() {
    let counters = APNsCounters()
    for number in 0..<1002 { counters.closed(connection: number, reason: "reason \(number)") }
    counters.closed(connection: 0, reason: "reason 0")
    #expect(counters.snapshot.closed.count == 1001)
    #expect(counters.snapshot.closed["other"] == 2)
    #expect(counters.snapshot.closed["reason 0"] == 2)
    #expect(counters.snapshot.closed["reason 999"] == 1)
  }

  @Test("pushes beyond the queue limit are never sent")
  func queueLimit() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client { $0.queueLimit = 5 }
    let outcomes = await client.send(pushes(7))
    #expect(outcomes.map(\.status) == [200, 200, 200, 200, 200, nil, nil])
    #expect(outcomes.last?.message == "5 pushes wait already")
    #expect(outcomes.last?.retry(hasCollapseID: false).isAllowed == true)
    #expect(await client.send(pushes(5)).allSatisfy(\.isSuccess))
    await client.close()
    await fixture.sandbox.stop()
  }
}

/// Passes connection and push events on as text, in order.
private struct EventRecorder: APNsMetrics {
  let record: @Sendable (String) -> Void

  func ended(_: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {
    record("ended on \(connection ?? -1)")
  }
  func opened(connection: Int) { record("opened \(connection)") }
  func closed(connection: Int, reason: String) { record("closed \(connection)") }
  func load(inFlight: Int, waiting: Int) {}
}
