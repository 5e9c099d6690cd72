import Foundation
import MediaLoading
import PushPayload
import RichNotifications
import Testing
import UserNotifications

@testable import NotificationHost
@testable import NotificationHostTesting

@Suite("The timeline of a phone", .timeLimit(.minutes(10)))
struct PhoneTimelineTests {
  private static let url = FailingPhoneTests.url

  /// The log of a push whose extension fetches a picture.
  private func log(_ pushType: String?, at start: Duration) throws -> PushLog {
    let message = try PushMessage(json: FailingPhoneTests.payload, pushType: pushType)
    return PushLog(message, start: start, appGroup: nil)
  }

  private func request() throws -> MediaRequest {
    MediaRequest(url: try #require(URL(string: Self.url)))
  }

  private func decision(_ rule: HostRule, _ text: String, at time: Duration) -> PushLog.Event {
    .decided(TraceEvent(at: time, stage: .host, rule: rule.name, message: text))
  }

  @Test("has arrivals, decisions, requests and responses in the order of the clock")
  func lines() throws {
    var first = try log("alert", at: .zero)
    first.add(decision(.mutableContent, "the extension runs", at: .zero))
    first.add(.began(at: .zero))
    let request = first.send(try request(), at: .milliseconds(20))
    first.answer(request, MediaResponseHead(status: 404), at: .milliseconds(1_270))
    first.receive(request, bytes: 12)
    first.end(request, nil, at: .milliseconds(1_271))
    var second = try log(nil, at: .seconds(1))
    second.message.collapseID = "score"
    let broken = second.send(try self.request(), at: .seconds(29))
    second.end(broken, MediaLoadError(.network, "the connection was reset"), at: .seconds(30))
    second.report = DeliveryReport(outcome: .displayed, reason: "")
    first.report = second.report
    let timeline = PhoneTimeline([first, second], now: .seconds(40))
    #expect(
      timeline.description == """
           0.000 s  push 1  arrives as alert
           0.000 s  push 1  mutable-content: the extension runs
           0.000 s  push 1  the extension begins to run
           0.020 s  push 1  GET https://cdn.example/a.png
           1.000 s  push 2  arrives without apns-push-type, with apns-collapse-id score
           1.270 s  push 1  404 from https://cdn.example/a.png
           1.271 s  push 1  https://cdn.example/a.png ends after 12 bytes
          30.000 s  push 2  GET https://cdn.example/a.png
          31.000 s  push 2  https://cdn.example/a.png fails after 0 bytes: the connection was reset
        """)
    #expect(PhoneTimeline([], now: .zero).description == "no push has arrived")
  }

  @Test("ends with the work that is open, each with the time since which it is")
  func openLines() throws {
    let waiting = try log("alert", at: .seconds(1))
    var running = try log("alert", at: .seconds(2))
    running.add(.began(at: .seconds(1)))
    _ = running.send(try request(), at: .seconds(2))
    let answered = running.send(try request(), at: .seconds(3))
    running.answer(answered, MediaResponseHead(status: 200), at: .seconds(4))
    running.receive(answered, bytes: 7)
    var warned = try log("alert", at: .zero)
    warned.add(.began(at: .zero))
    warned.add(
      decision(.expiryWarning, "serviceExtensionTimeWillExpire is called", at: .seconds(29)))
    let timeline = PhoneTimeline([waiting, running, warned], now: .milliseconds(29_500))
    #expect(
      timeline.openLines == [
        "  29.500 s  push 1  still open: the extension waits for its turn since 1.000 s",
        "  29.500 s  push 2  still open: the extension runs since 3.000 s and has not called its "
          + "content handler",
        "  29.500 s  push 2  still open: GET https://cdn.example/a.png since 4.000 s, no response",
        "  29.500 s  push 2  still open: GET https://cdn.example/a.png since 5.000 s, answered with "
          + "200, 7 bytes so far",
        "  29.500 s  push 3  still open: the extension runs since 0.000 s and has not called its "
          + "content handler, not even after serviceExtensionTimeWillExpire at 29.000 s",
      ])
    #expect(timeline.description.hasSuffix(timeline.openLines.joined(separator: "\n")))
  }

  @Test("a phone's own timeline follows its pushes, and names what is open only while it is")
  func phone() async throws {
    let network = SilentNetwork()
    let phone = try StuckService.phone(network)
    let delivery = Task { try await phone.deliver(FailingPhoneTests.payload) }
    await network.hasRequest()
    #expect(phone.openWork.count == 2)
    #expect(phone.openWork.last?.hasSuffix(", no response") == true)
    network.end()
    _ = try await delivery.value
    #expect(phone.openWork == [])
    let timeline = phone.timeline
    let order = [
      "arrives as alert", "the extension begins to run", "GET \(Self.url)", "\(Self.url) ends",
      "displayed: ",
    ].map { timeline.range(of: $0)?.lowerBound }
    #expect(!order.contains(nil), "\(timeline)")
    #expect(order.compactMap(\.self) == order.compactMap(\.self).sorted(), "\(timeline)")
  }

  @Test("a request that outlives its extension is canceled, and is not open after the report")
  func outlived() async throws {
    let clock = VirtualClock()
    let phone = try TestPhone(clock: clock) {
      $0.network = ScriptedNetwork(clock: clock, latency: .seconds(40))
    } makeExtension: {
      StuckService()
    }
    let report = try await phone.deliver(FailingPhoneTests.payload)
    #expect(phone.openWork == [])
    #expect(report.requests.count == 1 && report.requests[0].error != nil, "\(phone.timeline)")
  }

  @Test("a delivery whose task is canceled ends with an error, and warns of the work that is open")
  func canceled() async throws {
    let network = SilentNetwork()
    let phone = try StuckService.phone(network)
    let text = Locked("")
    await withKnownIssue {
      let delivery = Task { try await phone.deliver(FailingPhoneTests.payload) }
      await network.hasRequest()
      delivery.cancel()
      await #expect(throws: CancellationError.self) { try await delivery.value }
    } matching: { issue in
      text.withLock { $0 = issue.comments.map(\.rawValue).joined() }
      return issue.severity == .warning
    }
    #expect(
      text.withLock { $0 }.contains("still open: GET \(Self.url) since "), "\(text.withLock { $0 })"
    )
    network.end()
  }

  @Test(
    "times have three decimals",
    arguments: [
      (.zero, "0.000 s"), (.microseconds(499), "0.000 s"), (.microseconds(500), "0.001 s"),
      (.milliseconds(29_050), "29.050 s"), (.milliseconds(-1_500), "-1.500 s"),
    ] as [(Duration, String)])
  func times(duration: Duration, text: String) { #expect(duration.secondsText == text) }
}
