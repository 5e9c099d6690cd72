import APNsConformance
import APNsTestSupport
import APNsSandbox
import TestSupport
import Testing

@testable import APNs

/// A fault of the sandbox while ten thousand pushes are in flight, and the outcomes that are expected.
struct InFlightCase: CustomTestStringConvertible, Sendable {
  typealias Witness = @Sendable (InFlightRun) async throws -> Void
  static let count = 10_000
  static let all10 = count...count

  let name: String
  /// The rules that apply while the pushes arrive.
  var meanwhile: [FaultScript.Rule] = []
  /// The script that starts once the sandbox has received all pushes and answered none.
  var then: [FaultScript.Rule] = []
  /// The number of pushes that the sandbox is to answer; the others met a fault while they arrived.
  var held = count
  /// The number of pushes in flight for the client; `nil` for ``held``.
  var inFlight: Int?
  /// The number of pushes that wait behind those in flight.
  var waiting = 0
  /// The expected number of pushes by ending.
  let endings: [Ending: ClosedRange<Int>]
  /// The number of requests that the sandbox receives and never answers.
  var unanswered = 0...0
  /// Whether requests were reported as not processed, so that they may arrive again.
  var isResent = false
  /// Longer than the test may take, so that only the cases which are about time depend on it.
  var timeout = Duration.seconds(600)
  var keepAlive = KeepAlive(silence: .seconds(5), pingTimeout: .seconds(600))
  /// Checks that the fault has happened, before the sandbox responds.
  var before: Witness?
  /// Runs while the sandbox responds.
  var meanwhileAnswered: Witness?
  /// Checks the fault's effect when all pushes have their outcome.
  var after: (@Sendable (InFlightRun, _ struck: ContinuousClock.Instant) async throws -> Void)?

  var testDescription: String { name }

  static let all = ofConnections + ofRequests + garbage + [strayGarbage, everything]

  private static let ofConnections: [InFlightCase] = [
    .init(
      name: "GOAWAY", then: [.init(.goAway(reason: "IdleTimeout"), at: .zero)],
      endings: [.ok: all10], after: { run, _ in #expect(run.closed("IdleTimeout") == 10) }),
    .init(
      // Each connection has streams 3 to 2001.
      name: "GOAWAY whose last stream is in the middle",
      then: [.init(.goAway(lastStream: 1001), at: .zero)],
      endings: [.ok: all10], unanswered: 5000...5000, isResent: true,
      after: { run, _ in #expect(run.closed("Shutdown") == 10) }),
    .init(
      name: "stream limit of one, and a thousand again",
      then: [.init(.limit(1), at: .zero, lasting: .seconds(2))], waiting: 100,
      endings: [.ok: 10_100...10_100],
      before: { try await $0.untilStreams(are: 1) },
      after: { run, _ in try await run.untilStreams(are: 1000) }),
    .init(
      name: "settings that change", then: [.init(.settings(limit: 3, window: 100), at: .zero)],
      waiting: 100, endings: [.ok: 10_100...10_100], before: { try await $0.untilStreams(are: 3) }),
    .init(
      name: "half-open for three seconds",
      then: [.init(.halfOpen, at: .zero, lasting: .seconds(3))], endings: [.ok: all10],
      // The first response comes after the three seconds.
      after: { _, struck in #expect(struck.duration(to: .now) >= .seconds(3)) }),
    .init(
      name: "half-open for good", then: [.init(.halfOpen, at: .zero)], endings: [.maybe: all10],
      keepAlive: KeepAlive(silence: .seconds(2), pingTimeout: .seconds(3)),
      after: { run, _ in #expect(run.closed("PING") == 10) }),
    .init(
      name: "every connection reset", then: [.init(.drop, at: .zero)], endings: [.maybe: all10],
      after: { run, _ in #expect(run.counters.snapshot.closed.values.reduce(0, +) >= 10) }),
    .init(
      name: "connections refused",
      then: [.init(.refuseConnections, at: .zero)], waiting: 100,
      endings: [.maybe: all10, .ok: 100...100],
      before: { run in
        await #expect(throws: (any Error).self) {
          _ = try await RawClient.connect(run.fixture, alpn: ["h2"])
        }
      }, meanwhileAnswered: { run in await run.fixture.sandbox.run(FaultScript()) }),
  ]

  private static let ofRequests: [InFlightCase] = [
    // 10,000 requests are accepted and 1,666 refused: the last is number 11,666.
    .init(
      name: "every seventh refused", meanwhile: [.init(.refuse, every: 7)], endings: [.ok: all10],
      unanswered: 1666...1666, isResent: true),
    .init(
      name: "every hundredth stream reset", meanwhile: [.init(.resetStream(code: 2), every: 100)],
      held: 9900, endings: [.ok: 9900...9900, .maybe: 100...100], unanswered: 100...100),
    .init(
      name: "every thousandth request never answered", meanwhile: [.init(.stall, every: 1000)],
      held: 9990, inFlight: count, endings: [.ok: 9990...9990, .maybe: 10...10],
      unanswered: 10...10,
      meanwhileAnswered: { run in
        try await until { run.endedCount == 9990 }
        run.client.transport.run { $0.expire(at: .now + .seconds(600)) }
      }),
    .init(
      name: "a burst of 500",
      meanwhile: [
        .init(.answer(status: 500, reason: "InternalServerError"), after: 3000, count: 1000)
      ],
      endings: [.ok: 9000...9000, .init(500, "InternalServerError"): 1000...1000]),
    .init(
      name: "429 for a token and 410 for another",
      meanwhile: [
        .init(.answer(status: 429, reason: "TooManyRequests"), token: "ff"),
        .init(.answer(status: 410, reason: "Unregistered", timestamp: 1), token: "fe"),
      ],
      endings: [
        .ok: 9800...9800, .init(429, "TooManyRequests"): 100...100,
        .init(410, "Unregistered"): 100...100,
      ]),
  ]

  private static let garbage = InvalidFrame.all.map { garbage in
    InFlightCase(
      name: "garbage: \(garbage.name)", then: [.init(.garbage(garbage), at: .zero)],
      endings: [.maybe: all10],
      after: { run, _ in #expect(run.counters.snapshot.closed.values.reduce(0, +) >= 10) })
  }

  private static let strayGarbage = InFlightCase(
    name: "garbage on one connection of ten", meanwhile: [.init(.garbage(.text), after: 9999)],
    inFlight: 9000, endings: [.ok: 9000...9999, .maybe: 1...1000],
    after: { run, _ in #expect(run.counters.snapshot.closed.values.reduce(0, +) == 1) })

  private static let everything = InFlightCase(
    name: "all faults, with ten thousand more pushes waiting",
    then: [
      .init(.goAway(), after: 100, every: 1000),
      .init(.refuse, after: 201, every: 50),
      .init(.answer(status: 503, reason: "ServiceUnavailable"), after: 300, every: 1000),
      .init(.resetStream(code: 2), after: 400, every: 1000),
      .init(.drop, after: 500, every: 2000, count: 3),
      .init(.limit(10), after: 600, every: 3000),
    ],
    waiting: count,
    endings: [
      .ok: 12_000...20_000, .maybe: 10...8000, .init(503, "ServiceUnavailable"): 5...20,
    ],
    unanswered: 150...1000, isResent: true)
}

/// How a push ended: the status and Apple's reason, or `maybe-sent` or `never-sent`.
struct Ending: Hashable, CustomStringConvertible {
  var status: Int?
  var reason: String

  init(_ status: Int?, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  init(_ outcome: APNsOutcome) {
    let word = outcome.kind == .answered ? "" : outcome.kind.rawValue
    self.init(outcome.status, outcome.reason?.rawValue ?? word)
  }

  static let ok = Ending(200, "")
  static let maybe = Ending(nil, "maybe-sent")
  static let never = Ending(nil, "never-sent")

  var description: String { [status.map(String.init) ?? "", reason].joined(separator: " ") }
}

extension KeepAlive {
  init(silence: Duration, pingTimeout: Duration) {
    self.init()
    self.silence = silence
    self.pingTimeout = pingTimeout
  }
}
