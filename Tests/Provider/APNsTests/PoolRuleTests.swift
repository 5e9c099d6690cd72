import APNsTestSupport
import Testing

@testable import APNs

@Suite("Pool size and connection choice")
struct PoolRuleTests {
  static func load(
    waiting: Int, connections: Int, isGrowing: Bool = false, rate: Double? = nil
  ) -> PoolRule.Load {
    PoolRule.Load(waiting: waiting, connections: connections, isGrowing: isGrowing, rate: rate)
  }

  @Test(
    "the pool grows if the backlog would take over 200 ms and it is below its limit",
    arguments: [
      (load(waiting: 0, connections: 0), false), (load(waiting: 1, connections: 0), true),
      (load(waiting: 1, connections: 0, isGrowing: true), false),
      (load(waiting: 200, connections: 1, rate: 1000), false),
      (load(waiting: 201, connections: 1, rate: 1000), true),
      (load(waiting: 201, connections: 1, isGrowing: true, rate: 1000), false),
      (load(waiting: 100_000, connections: 1), false),
      (load(waiting: 100_000, connections: 3, rate: 1000), true),
      (load(waiting: 100_000, connections: 4, rate: 1000), false),
      (load(waiting: 0, connections: 1, rate: 0), false),
    ])
  func growth(load: PoolRule.Load, isWanted: Bool) {
    #expect(PoolRule(maxConnections: 4).wantsAnother(load) == isWanted)
  }

  @Test(
    "a push prefers a connection that can send its whole body now, then the one with fewest in flight",
    arguments: [
      ([], 4096, nil), ([.init(window: 1, inFlight: 9)], 4096, 0),
      ([.init(window: 9000, inFlight: 2), .init(window: 9000, inFlight: 1)], 4096, 1),
      ([.init(window: 4095, inFlight: 1), .init(window: 4096, inFlight: 900)], 4096, 1),
      ([.init(window: 4095, inFlight: 1), .init(window: 4096, inFlight: 900)], 4095, 0),
      ([.init(window: 10, inFlight: 2), .init(window: 20, inFlight: 1)], 4096, 1),
      (
        [.init(window: 9000, inFlight: 1, isBlocked: true), .init(window: 9000, inFlight: 5)], 1, 1
      ),
      ([.init(window: 9000, inFlight: 1, isBlocked: true), .init(window: 9, inFlight: 5)], 10, 0),
    ] as [([PoolRule.Room], Int, Int?)])
  func choice(rooms: [PoolRule.Room], size: Int, chosen: Int?) {
    let first = rooms.indices.min { PoolRule.prefers(rooms[$0], to: rooms[$1], for: size) }
    #expect(first == chosen)
  }

  @Test(
    "a connection may close after ten idle minutes unless it is the last one",
    arguments: [(600, 2, true), (599, 2, false), (6000, 1, false), (600, 4, true)])
  func shrinking(seconds: Int, connections: Int, goes: Bool) {
    let rule = PoolRule(maxConnections: 4)
    #expect(rule.spares(idleFor: .seconds(seconds), of: connections) == goes)
  }

  @Test(
    "the backoff doubles after each failed attempt, with a jitter of up to half of it",
    arguments: [(0, 0), (1, 50), (2, 100), (3, 200), (8, 6400), (9, 6400), (Int.max, 6400)])
  func backOff(failures: Int, milliseconds: Int) {
    #expect(PoolRule.backOff(afterFailures: failures, chance: 0) == .milliseconds(milliseconds))
    #expect(PoolRule.backOff(afterFailures: failures, chance: 1) == .milliseconds(milliseconds) / 2)
  }

  @Test(
    "the backoff of a refused push starts at 5 ms and doubles",
    arguments: [(0, 5), (1, 5), (2, 10), (6, 160), (7, 320), (8, 320), (Int.max, 320)])
  func rest(refusals: Int, milliseconds: Int) {
    #expect(PoolRule.backOff(afterRefusals: refusals) == .milliseconds(milliseconds))
  }

  @Test("the rate is measured over the last 100 ms with pushes in flight")
  func rate() {
    var rate = AnswerRate()
    let start = ContinuousClock.now
    func now(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
    rate.add(100, at: start)
    #expect(rate.perSecond(at: start) == nil, "the first responses start the interval")
    rate.add(50, at: now(99))
    #expect(rate.perSecond(at: now(99)) == nil)
    rate.add(50, at: now(100))
    #expect(rate.perSecond(at: now(100)) == 1000)
    rate.pause()
    rate.add(1, at: now(60_000))
    #expect(rate.perSecond(at: now(60_000)) == 1000, "a pause does not count against the peer")
    rate.add(20, at: now(60_200))
    #expect(rate.perSecond(at: now(60_200)) == 100)
  }

  @Test("a peer that answers nothing after an idle time counts as stopped after two seconds")
  func silentAfterPause() {
    var rate = AnswerRate()
    let start = ContinuousClock.now
    func at(_ milliseconds: Int) -> Double? {
      rate.perSecond(at: start + .milliseconds(milliseconds))
    }
    rate.add(1, at: start)
    rate.add(100, at: start + .milliseconds(100))
    rate.pause()
    rate.begin(at: start + .milliseconds(1000))
    rate.begin(at: start + .milliseconds(2500))
    #expect(at(2999) == 1000)
    #expect(at(3000) == 0)
    rate.add(1, at: start + .milliseconds(3001))
    #expect(at(3001) == 1000, "the first response begins an interval")
  }

  @Test("the rate falls while responses are overdue, and does not rise within an interval")
  func overdue() {
    var rate = AnswerRate()
    let start = ContinuousClock.now
    func at(_ milliseconds: Int) -> Double? {
      rate.perSecond(at: start + .milliseconds(milliseconds))
    }
    rate.add(1, at: start)
    #expect(at(99) == nil)
    #expect(at(100) == 0, "one response, and none since")
    rate.add(100, at: start + .milliseconds(100))
    #expect(at(100) == 1000)
    #expect(at(199) == 1000)
    rate.add(10, at: start + .milliseconds(150))
    #expect(at(300) == 50)
    #expect(at(10_100) == 1)
  }
}

@Suite("Keep-alive PINGs")
struct VitalsTests {
  let start = ContinuousClock.now

  @Test("a silent peer with requests in flight gets a PING after 5 s and is lost 5 s later")
  func silent() {
    var keepAlive = KeepAlive()
    func at(_ seconds: Int) -> KeepAlive.Action {
      keepAlive.on(now: start + .seconds(seconds), lastReceived: start, owesAnswers: true)
    }
    #expect((0..<5).map(at) == Array(repeating: .wait, count: 5))
    #expect([5, 6, 9, 10].map(at) == [.ping, .wait, .wait, .lost])
  }

  @Test("any received bytes restart the interval")
  func alive() {
    var keepAlive = KeepAlive()
    #expect(keepAlive.on(now: start + .seconds(5), lastReceived: start, owesAnswers: true) == .ping)
    let answered = start + .seconds(6)
    for (seconds, action) in [(7, KeepAlive.Action.wait), (10, .wait), (11, .ping)] {
      #expect(
        keepAlive.on(now: start + .seconds(seconds), lastReceived: answered, owesAnswers: true)
          == action)
    }
  }

  @Test("an idle connection gets a PING once an hour")
  func idle() {
    var keepAlive = KeepAlive()
    for (seconds, action) in [
      (3599, KeepAlive.Action.wait), (3600, .ping), (3604, .wait), (3605, .lost),
    ] {
      #expect(
        keepAlive.on(now: start + .seconds(seconds), lastReceived: start, owesAnswers: false)
          == action)
    }
  }
}
