import APNsTestSupport
import APNs
import APNsSandbox
import TestSupport
import Testing

@Suite("Latency of the sandbox", .timeLimit(.minutes(10)))
struct LatencyTests {
  private func waits(_ latency: Latency, _ count: Int = 20_000) -> [Duration] {
    var random = SeededGenerator(seed: 7)
    return (0..<count).map { _ in latency.next(using: &random) }.sorted()
  }

  @Test(
    "each notation of a latency is parsed",
    arguments: [
      ("50ms", .fixed(.milliseconds(50))), ("0", .none), ("2", .fixed(.seconds(2))),
      ("0.5s", .fixed(.milliseconds(500))), ("24h", .fixed(.seconds(86_400))),
      ("30ms-70ms", .evenly(.milliseconds(30) ... .milliseconds(70))),
      ("50ms±20ms", .evenly(.milliseconds(30) ... .milliseconds(70))),
      ("50ms+-50ms", .evenly(.zero ... .milliseconds(100))),
      ("1s-1s", .evenly(.seconds(1) ... .seconds(1))),
    ] as [(String, Latency)])
  func forms(text: String, latency: Latency) { #expect(Latency(parsing: text) == latency) }

  @Test("percentiles are parsed in any order")
  func percentileForm() throws {
    let latency = try #require(Latency.percentiles([50: .milliseconds(20), 99.9: .seconds(1)]))
    #expect(Latency(parsing: "p50=20ms,p99.9=1s") == latency)
    #expect(Latency(parsing: "p99.9=1s,p50=20ms") == latency)
  }

  @Test(
    "an invalid latency is refused",
    arguments: [
      "", "soon", "-5ms", "50ms-", "-50ms", "70ms-30ms", "20ms±50ms", "±5ms", "25h", "24h±1s",
      "1e99s",
      "nan", "inf", "p50", "p50=20ms", "p50=20ms,", "p50=20ms,p50=30ms", "p50=30ms,p99=20ms",
      "p0=1ms,p50=2ms", "p50=1ms,p100=2ms", "p50=0ms,p99=1s", "px=1ms,p99=1s", "p50=1ms,p99=25h",
      "p-1=1ms,p50=2ms", "pnan=1ms,p50=2ms",
    ])
  func refusals(text: String) { #expect(Latency(parsing: text) == nil) }

  @Test(
    "a latency has 2 to 100 percentiles",
    arguments: [(1, false), (2, true), (100, true), (101, false)])
  func limit(count: Int, isTaken: Bool) {
    let waits = (1...count).map { (Double($0) * 0.9, Duration.milliseconds($0)) }
    let latency = Latency.percentiles(Dictionary(uniqueKeysWithValues: waits))
    #expect((latency != nil) == isTaken)
  }

  @Test("latencies of a range are evenly distributed and within it")
  func range() {
    let drawn = waits(.evenly(.milliseconds(30) ... .milliseconds(70)))
    #expect(drawn[0] >= .milliseconds(30))
    #expect(drawn[19_999] <= .milliseconds(70))
    for (share, wait) in [(2_000, 34.0), (10_000, 50), (18_000, 66)] {
      #expect(abs(drawn[share] / .milliseconds(1) - wait) < 1)
    }
  }

  @Test("latencies meet the given percentiles, and are interpolated between them")
  func percentiles() throws {
    let drawn = waits(
      try #require(Latency(parsing: "p10=5ms,p50=20ms,p99=300ms")), 100_000)
    for (share, wait) in [(10_000, 5.0), (50_000, 20), (99_000, 300)] {
      #expect(abs(drawn[share] / .milliseconds(1) / wait - 1) < 0.05)
    }
    // The 25th percentile lies on a log-normal curve through the two nearest.
    #expect(drawn[25_000] > .milliseconds(8) && drawn[25_000] < .milliseconds(12))
    #expect(drawn[99_900] > .milliseconds(300))
  }

  @Test("no latency is longer than a day, however steep the curve is")
  func steep() throws {
    let drawn = waits(try #require(Latency(parsing: "p50=1ms,p51=24h")))
    #expect(drawn[0] >= .zero)
    #expect(drawn[19_999] == Latency.longest)
  }

  @Test("the same random seed gives the same latency, on an injected clock")
  func injected() async throws {
    let clock = ManualClock()
    let fixture = try await SandboxFixture.start {
      $0.latency = .evenly(.seconds(60) ... .seconds(90))
      $0.random = SeededGenerator(seed: 1)
      $0.clock = clock
    }
    var random = SeededGenerator(seed: 1)
    let wait = Latency.evenly(.seconds(60) ... .seconds(90)).next(using: &random)
    let client = try fixture.client()
    let answer = Task { await client.send(push()) }
    await clock.sleeper(until: wait)
    #expect(fixture.record.journal.isEmpty, "a request is logged with its response")
    clock.advance(by: wait)
    #expect(await answer.value.status == 200)
    #expect(fixture.record.journal.count == 1)
    await client.close()
    await fixture.sandbox.stop()
  }
}
