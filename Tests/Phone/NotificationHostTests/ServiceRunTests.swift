import Dispatch
import RichNotifications
import Testing
import UserNotifications

@testable import NotificationHost

@Suite("One run of a service extension", .timeLimit(.minutes(10)))
struct ServiceRunTests {
  /// A runner that returns its extension only after the host has warned it.
  private struct SlowRunner: ExtensionRunner {
    let isWarned: DispatchSemaphore

    func start(
      _ request: RequestCopy, record: RunRecord, scope: RunScope,
      events: @escaping @Sendable (ExtensionEvent) -> Void
    ) -> any RunningExtension {
      events(.launched)
      isWarned.wait()
      return Replying(events: events)
    }
  }

  /// An extension that replies to the warning.
  private struct Replying: RunningExtension {
    let events: @Sendable (ExtensionEvent) -> Void
    var peakMemoryBytes: Int? { nil }

    func warn() { events(.replied(ContentCopy(UNNotificationContent()))) }
    func end(_ ended: @escaping @Sendable () -> Void) { ended() }
  }

  @Test("a warning that comes before the runner has returned its extension is not lost")
  func earlyWarning() async throws {
    let isWarned = DispatchSemaphore(value: 0)
    var behavior = HostBehavior()
    behavior.expiryGrace = behavior.timeLimit
    let clock = SystemDeliveryClock()
    let message = PushMessage(payload: ["aps": ["alert": "B"]])
    let request = RequestCopy(
      UNNotificationRequest(identifier: "", content: UNNotificationContent(), trigger: nil))
    let ending = await withCheckedContinuation { continuation in
      let run = ServiceRun(clock: clock, behavior: behavior) { rule, _ in
        if rule == .expiryWarning { isWarned.signal() }
      } ended: {
        continuation.resume(returning: $0)
      }
      let record = RunRecord(PushTrace(message, clock: clock, appGroup: nil))
      // Not on the test's thread, since the runner waits.
      DispatchQueue.global().async {
        run.begin(SlowRunner(isWarned: isWarned), request, record: record)
      }
    }
    #expect(ending.rule == .firstReply && ending.reply != nil)
    #expect(ending.run.expired && ending.run.handlerCalls == 1)
  }
}
