import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import PushPayload
import Testing

/// A fault script, and the allowed endings of 200 pushes that meet it.
struct FaultCase: CustomTestStringConvertible, Sendable {
  let rule: String
  /// The allowed endings: a status, `maybe` or `never`.
  let endings: Set<String>
  /// The number of pushes by ending, where the script determines it.
  var counts: [String: Int] = [:]
  /// The minimum number of connections.
  var connections = 1
  var timeout = Duration.seconds(30)
  /// Whether the fault tells the truth about processed streams, so that no push arrives twice.
  var isHonest = true

  var testDescription: String { rule }

  static let all: [FaultCase] =
    [
      .init(rule: #"{"after":20,"do":"goaway"}"#, endings: ["200"], connections: 2),
      .init(
        rule: #"{"after":20,"do":"goaway","last_stream":1,"reason":"IdleTimeout","code":1}"#,
        endings: ["200", "maybe"], connections: 2, isHonest: false),
      .init(
        rule: #"{"at":0,"every":20,"count":3,"do":"goaway"}"#, endings: ["200"], connections: 4),
      .init(rule: #"{"at":"10ms","do":"goaway"}"#, endings: ["200"]),
      .init(rule: #"{"after":20,"do":"limit","value":1,"for":"50ms"}"#, endings: ["200"]),
      .init(rule: #"{"after":20,"do":"limit","value":0,"for":"50ms"}"#, endings: ["200"]),
      .init(rule: #"{"at":"10ms","do":"limit","value":2}"#, endings: ["200"]),
      .init(
        rule: #"{"after":20,"do":"settings","max_concurrent_streams":3,"initial_window_size":100}"#,
        endings: ["200"]),
      .init(rule: #"{"after":20,"do":"settings","value":1000}"#, endings: ["200"]),
      .init(rule: #"{"after":20,"do":"slow"}"#, endings: ["200"]),
      .init(rule: #"{"after":20,"do":"slow","value":1,"for":"50ms"}"#, endings: ["200"]),
      .init(rule: #"{"after":20,"do":"half-open","for":"50ms"}"#, endings: ["200"]),
      .init(
        // On a busy machine connecting alone may take the second.
        rule: #"{"after":20,"do":"half-open"}"#, endings: ["200", "maybe", "never"],
        connections: 0, timeout: .seconds(1)),
      .init(
        rule: #"{"every":40,"do":"stall"}"#, endings: ["200", "maybe", "never"],
        connections: 0, timeout: .seconds(1)),
      .init(rule: #"{"every":5,"do":"refuse"}"#, endings: ["200"]),
      .init(
        rule: #"{"after":20,"do":"refuse","for":"50ms"}"#, endings: ["200", "maybe", "never"]),
      .init(rule: #"{"after":20,"do":"reset"}"#, endings: ["200", "maybe"], connections: 2),
      .init(
        rule: #"{"every":4,"do":"reset","value":2}"#, endings: ["200", "maybe"],
        counts: ["maybe": 50]),
      .init(rule: #"{"do":"latency","value":5}"#, endings: ["200"]),
      .init(rule: #"{"every":50,"do":"latency","value":"50ms"}"#, endings: ["200"]),
      .init(
        rule: #"{"at":0,"do":"status","status":503,"reason":"ServiceUnavailable"}"#,
        endings: ["200", "503"], counts: ["503": 1]),
      .init(
        rule: #"{"every":4,"do":"status","status":500,"reason":"InternalServerError"}"#,
        endings: ["200", "500"], counts: ["500": 50]),
      .init(
        rule: #"{"after":100,"count":7,"do":"status","status":429,"reason":"TooManyRequests"}"#,
        endings: ["200", "429"], counts: ["429": 7]),
      .init(
        rule: #"{"token":"FF","do":"status","status":410,"reason":"Unregistered","timestamp":1}"#,
        endings: ["200", "410"], counts: ["410": 20]),
    ] + garbage

  static let garbage = [
    "text", "oversized", "settings", "headers", "idle", "continuation", "ping",
  ].map { name in
    FaultCase(
      rule: #"{"after":20,"do":"garbage","value":"\#(name)"}"#, endings: ["200", "maybe"],
      connections: 2)
  }
}

@Suite("Scripted faults on the wire", .timeLimit(.minutes(10)))
struct SandboxFaultTests {
  @Test("each push ends in exactly one outcome, and arrives at most once", arguments: FaultCase.all)
  func outcomes(_ fault: FaultCase) async throws {
    let script = try FaultScript(json: Data(#"{"rules":[\#(fault.rule)]}"#.utf8))
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 10
      $0.script = script
    }
    let client = try fixture.client {
      $0.maxConnections = 1
      $0.requestTimeout = fault.timeout
    }
    let sent = (0..<200).map { push($0.isMultiple(of: 10) ? "ff" : deviceToken) }
    let outcomes = await client.send(sent)
    await client.close()
    await fixture.sandbox.stop()

    #expect(outcomes.map(\.apnsID) == sent.map(\.id))
    let endings = outcomes.endings
    #expect(Set(endings.keys).isSubset(of: fault.endings), "\(endings)")
    for (ending, count) in fault.counts { #expect(endings[ending] == count, "\(endings)") }
    expectAll(outcomes, "have a status or a message") { $0.status != nil || $0.message != nil }
    let connections = try fixture.record.journal.map {
      try JSONValue(parsing: $0)["connection"]?.integer ?? 0
    }
    #expect(connections.max() ?? 0 >= fault.connections)
    let arrived = fixture.record.counts
    if fault.isHonest {
      expectAll(outcomes, "arrived at most once, and not where never sent") {
        arrived[$0.apnsID, default: 0] <= ($0.kind == .neverSent ? 0 : 1)
      }
    }
    expectAll(outcomes.filter(\.isSuccess), "arrived") { arrived[$0.apnsID] != nil }
  }

  @Test("after a script has ended the sandbox has no faults, and another script may start")
  func another() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    await fixture.sandbox.run(FaultScript([.init(.answer(status: 503), count: 1)]))
    #expect(await client.send(push()).status == 503)
    #expect(await client.send(push()).isSuccess)
    await fixture.sandbox.run(FaultScript([.init(.answer(status: 500))]))
    #expect(await client.send(push()).status == 500)
    await fixture.sandbox.run(FaultScript())
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }
}
