import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

/// Concurrent pushes, and the system's warning at every step of a push.
@Suite("A second push, and the warning at every step", .timeLimit(.minutes(10)))
struct SecondPushTests {
  static let png = ScriptedNetwork.Response.fixture("picture.png")
  static let gif = ScriptedNetwork.Response.fixture("cloudy.gif")

  /// Virtual time stands still until both have started.
  static func atOnce(
    on clock: VirtualClock, _ first: @escaping @Sendable () async -> DeliveryReport,
    _ second: @escaping @Sendable () async -> DeliveryReport,
    until isUnderWay: @Sendable () -> Bool, then: () -> Void = {}
  ) async -> [DeliveryReport] {
    let hold = clock.hold(freezeLimit: .seconds(60))
    async let one = first()
    async let other = second()
    while !isUnderWay() { await Task.yield() }
    then()
    hold.release()
    return [await one, await other]
  }

  /// Two phones' extensions in one process, on one clock.
  static func twoObjects(
    _ answers: [ScriptedNetwork.Response], latency: [Int], warning: Int? = nil
  ) async throws -> (phones: [Phone], reports: [DeliveryReport]) {
    let clock = VirtualClock()
    let phones = try zip(answers, latency).map { answer, latency in
      try Phone(["https://a/i": answer], latency: .seconds(latency), clock: clock)
    }
    let push = Push.media("https://a/i")
    let reports = await atOnce(
      on: clock, { await phones[0].deliver(push) }, { await phones[1].deliver(push) }
    ) {
      phones.allSatisfy { !$0.network.requests.isEmpty }
    } then: {
      if let warning { _ = clock.schedule(after: .seconds(warning)) { phones[0].warn() } }
    }
    await phones[0].runOn()
    return (phones, reports)
  }

  @Test(
    "two objects: each push ends with its own response, in any order",
    arguments: [[3, 6], [6, 3], [3, 3], [0, 20], [24, 24]])
  func twoObjects(latency: [Int]) async throws {
    let (phones, reports) = try await Self.twoObjects([Self.png, Self.gif], latency: latency)
    #expect(phones.map(\.handlerCalls) == [1, 1])
    #expect(reports.map { $0.content?.body } == ["B", "B"])
    #expect(
      reports.map { $0.attachments.map(\.type) } == [["public.png"], ["com.compuserve.gif"]])
    for (report, seconds) in zip(reports, latency) {
      #expect(report.run.elapsed >= .seconds(seconds))
      #expect(report.run.elapsed < .seconds(seconds + 2))
    }
    #expect(phones.allSatisfy { $0.leftovers == [] })
  }

  @Test("two objects: the warning of one does not affect the other")
  func warningOfOne() async throws {
    let silent = Self.png.with { $0.stallsAfter = 9 }
    let (phones, reports) = try await Self.twoObjects(
      [silent, Self.gif], latency: [0, 10], warning: 5)
    #expect(phones.map(\.handlerCalls) == [1, 1])
    #expect(reports.map { $0.content?.body } == ["alt", "B"])
    #expect(reports.map(\.attachments.count) == [0, 1])
    #expect(reports[0].run.elapsed < .seconds(7) && reports[1].run.elapsed >= .seconds(10))
  }

  @Test(
    "one object for both: each handler is called once, and the warning applies to both",
    arguments: [
      (Self.gif, 60, ["B", "B"]), (Self.gif.with { $0.stallsAfter = 9 }, 60, ["B", "alt"]),
      (Self.gif.with { $0.stallsAfter = 9 }, 10, ["B", "alt"]), (Self.gif, 1, ["alt", "alt"]),
    ])
  func oneObject(second: ScriptedNetwork.Response, warning: Int, bodies: [String]) async throws {
    let phone = try Phone(["https://a/1": Self.png, "https://a/2": second], latency: .seconds(3))
    let service = phone.makeService()
    let reports = await Self.atOnce(
      on: phone.clock, { await phone.deliver(Push.media("https://a/1"), by: service) },
      { await phone.deliver(Push.media("https://a/2"), by: service) }
    ) {
      phone.network.requests.count == 2
    } then: {
      _ = phone.clock.schedule(after: .seconds(warning)) { phone.warn() }
    }
    await phone.runOn()
    #expect(phone.handlerCalls == 2 && reports.map(\.run.handlerCalls) == [1, 1])
    #expect(reports.map { $0.content?.body } == bodies)
    let types = zip(bodies, ["public.png", "com.compuserve.gif"]).map { $0 == "B" ? [$1] : [] }
    #expect(reports.map { $0.attachments.map(\.type) } == types)
    #expect(phone.leftovers == [])
  }

  @Test("one object, one push after the other: the first does not affect the second")
  func oneAfterTheOther() async throws {
    let phone = try Phone(["https://a/1": Self.png, "https://a/2": Self.gif])
    let service = phone.makeService()
    service.serviceExtensionTimeWillExpire()
    for (url, type) in [("https://a/1", "public.png"), ("https://a/2", "com.compuserve.gif")] {
      let report = await phone.deliver(Push.media(url), by: service)
      #expect(report.attachments.map(\.type) == [type] && report.content?.body == "B")
      // Between the end of the first push and the second one.
      service.serviceExtensionTimeWillExpire()
    }
    #expect(phone.handlerCalls == 2)
  }

  /// The time of the warning: a delay after the n-th occurrence of a trace rule.
  struct Step: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var rule: String
    var time = 1
    var delay = 0
    /// The responses of the second file.
    var second: [ScriptedNetwork.Response] = [png]
    var attachments: Int
    var requests: Int
  }

  static let steps: [Step] = [
    Step(
      testDescription: "before it begins", rule: "chosen", attachments: 0, requests: 0),
    Step(
      testDescription: "before the first request", rule: "fetch", attachments: 0, requests: 0),
    Step(
      testDescription: "while the first head is awaited", rule: "fetch", delay: 100,
      attachments: 0, requests: 1),
    Step(
      testDescription: "in the middle of the first body", rule: "fetch", delay: 2000,
      attachments: 0, requests: 1),
    Step(
      testDescription: "at the very end of the first body", rule: "type", attachments: 0,
      requests: 1),
    Step(
      testDescription: "before the second request", rule: "fetch", time: 2, attachments: 1,
      requests: 1),
    Step(
      testDescription: "while the second head is awaited", rule: "fetch", time: 2, delay: 100,
      attachments: 1, requests: 2),
    Step(
      testDescription: "in the middle of the second body", rule: "fetch", time: 2, delay: 2000,
      attachments: 1, requests: 2),
    Step(
      testDescription: "at a redirect", rule: "redirect",
      second: [.init(status: 302, headers: ["Location": "/3"])], attachments: 1, requests: 2),
    Step(
      testDescription: "at a failure that passes", rule: "http-status",
      second: [.init(status: 503), png], attachments: 1, requests: 2),
    Step(
      testDescription: "between two tries", rule: "http-status", delay: 100,
      second: [.init(status: 503), png], attachments: 1, requests: 2),
    Step(
      testDescription: "between a half file and its rest", rule: "network", delay: 100,
      second: [FeatureTests.broken, png], attachments: 1, requests: 2),
    Step(
      testDescription: "before the rest is asked for", rule: "resume",
      second: [FeatureTests.broken, png], attachments: 1, requests: 2),
    Step(
      testDescription: "while the rest is awaited", rule: "resume", delay: 100,
      second: [FeatureTests.broken, png], attachments: 1, requests: 3),
    Step(
      testDescription: "when all is decided", rule: "outcome", attachments: 2, requests: 2),
    Step(
      testDescription: "at the hand-over", rule: "handed-over", attachments: 2, requests: 2),
    Step(
      testDescription: "after it", rule: "handed-over", delay: 100, attachments: 2, requests: 2),
  ]

  /// Calls the warning at a step of the push.
  static func warning(_ phone: Phone, at step: Step) -> @Sendable (TraceEvent) -> Void {
    let seen = Counter()
    return { [weak phone] event in
      guard event.rule == step.rule, seen.next() == step.time else { return }
      guard step.delay > 0 else { return phone?.warn() ?? () }
      _ = phone?.clock.schedule(after: .milliseconds(step.delay)) { [weak phone] in phone?.warn() }
    }
  }

  @Test("the warning at every step: one call, with all finished files", arguments: steps)
  func everyStep(step: Step) async throws {
    let phone = try Phone(
      inSequence: [
        "https://a/1": [Self.gif], "https://a/2": step.second, "https://a/3": [Self.png],
      ],
      latency: .seconds(1), bandwidth: 50_000)
    var configuration = RichConfiguration()
    configuration.media.maximumParallel = 1
    configuration.trace = Self.warning(phone, at: step)
    let halves = Mutex<[String]?>(nil)
    configuration.delivered = { [folder = phone.folder] _ in
      halves.withLock { $0 = folder.contents.filter { $0.hasSuffix(".part") } }
    }
    let report = await phone.deliver(Push.media("https://a/1", "https://a/2"), configuration)
    await phone.runOn()
    #expect(halves.withLock { $0 } == [], "no half file at the hand-over")
    #expect(phone.handlerCalls == 1 && report.run.handlerCalls == 1)
    #expect(report.outcome == .displayed && !report.run.expired)
    #expect(report.content?.body == (step.attachments == 2 ? "B" : "alt"))
    #expect(
      report.attachments.map(\.type)
        == Array(["com.compuserve.gif", "public.png"].prefix(step.attachments)))
    #expect(phone.network.requests.count == step.requests)
    #expect(phone.leftovers == [])
  }

  static let partial = png.with {
    $0.headers["ETag"] = "\"1\""
    $0.breaksAfter = 30_000
  }

  /// The responses after a partial file, and the number of requests.
  static let endings: [(name: String, rest: [ScriptedNetwork.Response], requests: Int)] = [
    ("it breaks again and again", [partial], 3), ("it is gone", [.init(status: 404)], 2),
    (
      "a redirect to http:",
      [.init(status: 302, headers: ["Location": "http://a/1"])], 2
    ),
    ("another part comes", [.init(status: 206, headers: ["Content-Range": "bytes 1-2/3"])], 3),
    ("nothing comes", [partial.with { $0.stallsAfter = 0 }], 2),
    ("it is another file, of no known type", [.init(body: .bytes([1, 2, 3]))], 2),
    (
      "a Retry-After longer than the deadline",
      [.init(status: 503, headers: ["Retry-After": "60"])], 2
    ),
  ]

  @Test(
    "before the delivery partial files are deleted, because the system may suspend the extension",
    arguments: 0..<7)
  func halfFiles(number: Int) async throws {
    let (name, rest, requests) = Self.endings[number]
    let phone = try Phone(inSequence: ["https://a/1": [Self.partial] + rest])
    let atDelivery = Mutex<[String]?>(nil)
    var configuration = RichConfiguration()
    configuration.delivered = { [folder = phone.folder] _ in
      atDelivery.withLock { $0 = folder.contents }
    }
    let report = await phone.deliver(Push.media("https://a/1"), configuration)
    #expect(report.content?.body == "alt" && report.attachments.isEmpty, "\(name)")
    #expect(phone.network.requests.count == requests, "\(name)")
    #expect(atDelivery.withLock { $0 } == [], "\(name)")
  }

  @Test(
    "the warning during the registration of buttons: the files are attached", arguments: [0, 100])
  func buttons(delay: Int) async throws {
    // A system that hangs and never returns the categories.
    let center = UNUserNotificationCenter(readsUntilVisible: 0, responds: false)
    let phone = try Phone(["https://a/1": Self.gif], center: center) {
      $0.categoryRegistry = UNCategoryRegistry(center: center)
    }
    var configuration = RichConfiguration()
    let step = Step(
      testDescription: "", rule: delay == 0 ? "fetch" : "type", delay: delay, attachments: 0,
      requests: 0)
    configuration.trace = Self.warning(phone, at: step)
    let report = await phone.deliver(
      DeliveryRobustnessTests.buttons("Yes", media: "https://a/1"), configuration)
    await phone.runOn()
    #expect(phone.handlerCalls == 1 && report.outcome == .displayed)
    #expect(report.attachments.count == (delay == 0 ? 0 : 1) && report.content?.body == "B")
    #expect(report.run.elapsed < .seconds(2) && phone.leftovers == [])
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
