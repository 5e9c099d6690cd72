import APNsSandbox
import Foundation
import Testing

@testable import APNs

/// What the sandbox does wrong while thousands of pushes are under way, and how they may end.
struct InFlightCase: CustomTestStringConvertible, Sendable {
  let name: String
  /// How the pushes may end: a status, `maybe` or `never`.
  let endings: Set<String>
  /// Whether some are never answered, so that the test waits for their deadline.
  var isStalling = false
  let rules: [FaultScript.Rule]

  var testDescription: String { name }

  static let all: [InFlightCase] = [
    .init(name: "GOAWAY now and then", endings: ["200"], rules: [.init(.goAway(), every: 1013)]),
    .init(name: "every seventh refused", endings: ["200"], rules: [.init(.refuse, every: 7)]),
    .init(
      name: "the socket closed now and then", endings: ["200", "maybe"],
      rules: [.init(.drop, every: 2003)]),
    .init(
      name: "a few without an answer", endings: ["200", "maybe", "never"], isStalling: true,
      rules: [.init(.stall, every: 3001)]),
    .init(
      name: "a burst of 500", endings: ["200", "500"],
      rules: [
        .init(.answer(status: 500, reason: "InternalServerError"), after: 3000, count: 1000)
      ]),
    .init(
      name: "429 for a token", endings: ["200", "429"],
      rules: [.init(.answer(status: 429, reason: "TooManyRequests"), token: "ff")]),
    .init(
      name: "all of it", endings: ["200", "maybe", "503"],
      rules: [
        .init(.goAway(), after: 100, every: 1000),
        .init(.refuse, after: 200, every: 50),
        .init(.answer(status: 503, reason: "ServiceUnavailable"), after: 300, every: 1000),
        .init(.drop, after: 500, every: 1000, count: 5),
      ]),
  ]
}

/// Apple's side loses, delays and refuses; the client's books must still balance.
@Suite("Ten thousand pushes under way", .timeLimit(.minutes(3)), .serialized)
struct InFlightTests {
  static let count = 10_000

  @Test(
    "each has one outcome, none is lost or sent twice, and the counts are the journal's",
    arguments: InFlightCase.all)
  func balance(_ fault: InFlightCase) async throws {
    let fixture = try await Fixture.start { $0.script = FaultScript(fault.rules) }
    let counters = APNsCounters()
    let client = try fixture.client {
      $0.metrics = counters
      if fault.isStalling { $0.requestTimeout = .seconds(10) }
    }
    let sent = (0..<Self.count).map { push($0.isMultiple(of: 100) ? "ff" : deviceToken) }
    let outcomes = await client.send(sent)
    await client.close()
    await fixture.sandbox.stop()

    #expect(outcomes.map(\.apnsID) == sent.map(\.id))
    #expect(counters.snapshot.ended.values.reduce(0, +) == Self.count)
    #expect(Set(outcomes.map(\.ending)).isSubset(of: fault.endings))
    let journal = fixture.journaled
    for outcome in outcomes {
      let entries = journal[outcome.apnsID] ?? []
      switch outcome.kind {
      case .answered: #expect(entries == [outcome.status ?? 0], "\(outcome)")
      // Without a word it may have been taken, once.
      case .maybeSent: #expect(entries.count <= 1, "\(outcome)")
      case .neverSent: #expect(entries.isEmpty, "\(outcome)")
      }
    }
    let accepted = outcomes.count(where: \.isSuccess)
    #expect(fixture.record.counts.values.allSatisfy { $0 == 1 })
    #expect(accepted <= fixture.record.counts.count)
    #expect(fixture.record.counts.count <= Self.count - outcomes.count { $0.kind == .neverSent })
  }
}

extension Fixture {
  /// The statuses that the journal has for each `apns-id`; a request that a fault met has none.
  fileprivate var journaled: [String: [Int]] {
    var found: [String: [Int]] = [:]
    for line in record.journal {
      guard let id = line.value(after: #""apns-id":""#, 36) else { continue }
      guard let status = line.value(after: #""status":"#, 3).flatMap({ Int($0) }) else { continue }
      found[id, default: []].append(status)
    }
    return found
  }
}

extension String {
  /// So many characters after a text; without a regular expression, for there are 10,000 lines.
  fileprivate func value(after text: String, _ count: Int) -> String? {
    range(of: text).map { String(self[$0.upperBound...].prefix(count)) }
  }
}
