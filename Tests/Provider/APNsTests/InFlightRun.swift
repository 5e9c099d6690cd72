import APNsTestSupport
import APNsSandbox
import Foundation
import TestSupport
import Testing
import _HTTP2
import _HTTP2Channel

@testable import APNs

/// A sandbox that holds its responses, and a client with ten connections to it.
struct InFlightRun: Sendable {
  static let connections = 10
  /// Each response has its own latency, so that the clock holds each of them.
  static let latency = FaultScript.Rule(
    .latency(.evenly(.milliseconds(50) ... .milliseconds(60))))

  let fixture: SandboxFixture
  let client: APNsClient
  let counters: APNsCounters
  let gate: GateClock
  /// The number of pushes that were sent to open the connections.
  private let first: Int

  static func start(_ fault: InFlightCase) async throws -> InFlightRun {
    let gate = GateClock()
    let fixture = try await SandboxFixture.start { $0.clock = gate }
    let counters = APNsCounters()
    let client = try fixture.client {
      $0.metrics = counters
      $0.maxConnections = connections
      $0.requestTimeout = fault.timeout
      $0.keepAlive = fault.keepAlive
    }
    for number in 1...connections {
      client.transport.run {
        $0.credentials.accepted()
        $0.connect()
      }
      while counters.snapshot.opened < number, !Task.isCancelled { await Task.yield() }
    }
    // Each connection allows one stream before its first response, so each gets one push.
    let opening = await client.send((0..<connections).map { _ in push() })
    let isOpen = opening.allSatisfy(\.isSuccess)
    try #require(isOpen)
    try #require(counters.snapshot.opened == connections)
    let run = InFlightRun(
      fixture: fixture, client: client, counters: counters, gate: gate, first: connections)
    try await run.untilStreams(are: 1000)
    await fixture.sandbox.run(
      FaultScript([Self.latency] + fault.meanwhile))
    return run
  }

  /// Pushes of which one in a hundred goes to each of the tokens `ff` and `fe`.
  func pushes(_ count: Int) -> [APNsNotification] {
    (0..<count).map { push($0 % 100 == 0 ? "ff" : $0 % 100 == 1 ? "fe" : deviceToken) }
  }

  /// Starts the fault while all pushes that the sandbox received are in flight.
  func strike(_ fault: InFlightCase) async throws {
    try await until { counters.snapshot.inFlight == fault.inFlight ?? fault.held }
    #expect(gate.heldCount == fault.held)
    if !fault.then.isEmpty { await fixture.sandbox.run(FaultScript(fault.then)) }
    try await fault.before?(self)
  }

  /// Stops client and sandbox, and compares the outcomes, the counters and the sandbox's journal.
  func finish(_ fault: InFlightCase, _ outcomes: [APNsOutcome]) async throws {
    await fixture.sandbox.run(FaultScript())
    var last: [APNsOutcome] = []
    // The client sends again once it has a connection.
    repeat {
      last += await client.send(pushes(100))
    } while !Task.isCancelled
      && !last.suffix(100).allSatisfy(\.isSuccess)
    await client.close()
    await fixture.sandbox.stop()

    #expect(outcomes.count == InFlightCase.count + fault.waiting)
    let tally = outcomes.map(Ending.init).tally
    #expect(Set(tally.keys).isSubset(of: fault.endings.keys), "\(tally)")
    for (ending, range) in fault.endings {
      #expect(range ~= tally[ending, default: 0], "\(tally)")
    }
    #expect(counted == tally.merging((last.map(Ending.init) + opened).tally, uniquingKeysWith: +))

    let journal = JournalEntries(fixture.record.journal)
    #expect(fault.unanswered ~= journal.unanswered, "\(journal.unanswered)")
    var answered: [Ending: Int] = [:]
    expectAll(outcomes, "agree with the journal") { outcome in
      let entries = journal[outcome.apnsID]
      guard fault.isResent || entries.count <= 1 else { return false }
      let taken = entries.compactMap(\.self)
      switch outcome.kind {
      case .answered:
        for ending in taken { answered[ending, default: 0] += 1 }
        return taken == [Ending(outcome)]
      // Without a response APNs may have accepted the push, once.
      case .maybeSent: return taken.count <= 1
      case .neverSent: return taken.isEmpty
      }
    }
    #expect(answered == tally.filter { $0.key.status != nil })
    #expect(fixture.record.counts.values.allSatisfy { $0 == 1 })
  }

  /// Returns once the client has received this stream limit on every connection.
  func untilStreams(are limit: Int) async throws {
    try await until { await client.transport.streamLimits.allSatisfy { $0 == limit } }
  }

  /// The number of pushes that have their outcome.
  var endedCount: Int { counted.values.reduce(0, +) - first }

  /// The number of connections whose reason for closing contains the word.
  func closed(_ word: String) -> Int {
    counters.snapshot.closed.reduce(0) { $0 + ($1.key.contains(word) ? $1.value : 0) }
  }

  private var counted: [Ending: Int] {
    Dictionary(
      counters.snapshot.ended.map { (Ending($0.key.status, $0.key.reason), $0.value) },
      uniquingKeysWith: +)
  }

  private var opened: [Ending] { Array(repeating: .ok, count: first) }
}

extension Transport {
  /// The number of streams that APNs allows on each connection.
  fileprivate var streamLimits: [Int?] {
    pool.connections.values.map(\.channel.session.remoteStreamLimit)
  }
}

/// The endings of the requests in a sandbox's journal.
private struct JournalEntries {
  /// The endings of the requests by `apns-id`; `nil` for one without a response.
  private var entries: [String: [Ending?]] = [:]
  private(set) var unanswered = 0

  init(_ lines: [String]) {
    for line in lines {
      guard let id = line.value(after: #""apns-id":""#, upTo: "\"") else { continue }
      let status = line.value(after: #""status":"#, upTo: ",}").flatMap { Int($0) }
      let reason = line.value(after: #""reason":""#, upTo: "\"") ?? ""
      if status == nil { unanswered += 1 }
      entries[id, default: []].append(status.map { Ending($0, reason) })
    }
  }

  subscript(id: String) -> [Ending?] { entries[id] ?? [] }
}

extension String {
  /// The text between `text` and the next of the characters `ends`; parsing 20,000 lines as JSON is too slow.
  fileprivate func value(after text: String, upTo ends: String) -> String? {
    range(of: text).map { String(self[$0.upperBound...].prefix { !ends.contains($0) }) }
  }
}

extension [Ending] {
  fileprivate var tally: [Ending: Int] {
    Dictionary(map { ($0, 1) }, uniquingKeysWith: +)
  }
}
