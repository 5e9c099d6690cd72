import Foundation
import NotificationHost
import NotificationHostTesting
import Synchronization
import TestSupport
import Testing
import UserNotifications

@testable import FaultyExtension

/// Extensions that reply from any queue, task or thread, as published ones do.
@Suite("The place from which an extension replies", .serialized, .timeLimit(.minutes(30)))
struct ReplyPlaceTests {
  /// How often each place is tried.
  private static let rounds = Tier.sample(20, of: 1000)

  private static func payload(_ place: ReplyPlace) -> String {
    #"{"aps": {"alert": {"title": "T", "body": "B"}, "mutable-content": 1}, "reply": "\#(place)"}"#
  }

  /// The reports that are not the reply of a phone that waits for it.
  private static func wrong(
    _ place: ReplyPlace, rounds: Int, deliver: (String) async throws -> DeliveryReport
  ) async throws -> [String] {
    var wrong: [String] = []
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      let report = try await deliver(payload(place))
      if report.outcome != .displayed || report.content?.title != place.rawValue
        || report.run.expired || report.run.handlerCalls != 1
      {
        wrong.append("after \(ContinuousClock.now - start): \(report.description)")
      }
    }
    print("\(place): \(wrong.count) wrong of \(rounds)")
    return wrong
  }

  private static func phone() throws -> TestPhone {
    var behavior = HostBehavior()
    // Beside other tests the limit is a twentieth of it.
    behavior.unseenWorkLimit = .seconds(600)
    return try TestPhone(behavior: behavior) { PlacedReply() }
  }

  @Test("a reply from any place counts", arguments: ReplyPlace.immediate)
  func immediate(place: ReplyPlace) async throws {
    let phone = try Self.phone()
    let wrong = try await Self.wrong(place, rounds: Self.rounds) { try await phone.deliver($0) }
    #expect(wrong == [])
  }

  @Test("delays of queues and tasks are on the host's clock", arguments: ReplyPlace.virtual)
  func virtual(place: ReplyPlace) async throws {
    let phone = try TestPhone { PlacedReply() }
    let wrong = try await Self.wrong(place, rounds: max(Self.rounds / 10, 1)) {
      let report = try await phone.deliver($0)
      // With real time, the run would have ended after the limit for unseen work.
      #expect(report.run.elapsed >= .seconds(19))
      return report
    }
    #expect(wrong == [])
  }

  @Test("work of 0.2 s takes 0.2 s, seen by the clock or not", arguments: ReplyPlace.delayed)
  func delayed(place: ReplyPlace) async throws {
    let phone = try Self.phone()
    let wrong = try await Self.wrong(place, rounds: max(Self.rounds / 20, 1)) {
      let report = try await phone.deliver($0)
      #expect(report.run.elapsed < .seconds(29))
      return report
    }
    #expect(wrong == [])
  }

  @Test("a reply from any place of an extension process counts", arguments: ReplyPlace.allCases)
  func process(place: ReplyPlace) async throws {
    var process = ExtensionProcess(
      executable: try #require(IsolatedPhone.program), arguments: ["replies"])
    process.memoryLimit = 64 << 20
    let phone = try TestPhone(app: { [process] in $0.process = process }) { PlacedReply() }
    let wrong = try await Self.wrong(place, rounds: max(Self.rounds / 20, 1)) {
      try await phone.deliver($0)
    }
    #expect(wrong == [])
  }

  @Test("the trace says how long the clock has waited")
  func trace() async throws {
    let phone = try TestPhone { PlacedReply() }
    let report = try await phone.deliver(Self.payload(.dispatchTimer))
    #expect(report.description.contains("ms of real time for work that the clock does not see"))
  }

  @Test("work beyond the limit of unseen work does not count")
  func limit() async throws {
    var behavior = HostBehavior()
    behavior.unseenWorkLimit = .milliseconds(60)
    let isAllowed = Mutex(false)
    let phone = try TestPhone(behavior: behavior) { LateReply(when: { isAllowed.withLock { $0 } }) }
    let report = try await phone.deliver(Self.payload(.thread))
    #expect(report.outcome == .displayedOriginal && report.run.expired)
    #expect(report.description.contains("HostBehavior.unseenWorkLimit"))
    // The late reply of this run must not be that of another one.
    isAllowed.withLock { $0 = true }
    let next = try TestPhone { PlacedReply() }
    #expect(try await next.deliver(Self.payload(.semaphore)).content?.title == "semaphore")
  }
}

/// Replies from a thread when the test allows it, which the clock does not know.
private final class LateReply: UNNotificationServiceExtension {
  private let isAllowed: @Sendable () -> Bool

  init(when isAllowed: @escaping @Sendable () -> Bool) { self.isAllowed = isAllowed }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    // Only the thread uses them from here on.
    nonisolated(unsafe) let (content, reply) = (request.content, contentHandler)
    Thread.detachNewThread { [isAllowed] in
      while !isAllowed() { usleep(1000) }
      reply(content)
    }
  }
}
