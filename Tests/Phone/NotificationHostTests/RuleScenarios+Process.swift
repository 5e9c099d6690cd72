import Foundation
import NotificationHost
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

// The end of the extension's process, and its restrictions.

extension RuleScenarioTests {
  /// Expects an end without a reply and without a warning.
  private static func ends(
    _ keys: String, by rule: HostRule, program: URL? = nil
  ) async throws {
    let report = try await IsolatedPhone().deliver(keys, program: program)
    #expect(report.outcome == .displayedOriginal && report.rule == .noReply, "\(report)")
    #expect(report.names(rule) && !report.run.expired, "\(report)")
  }

  static let process: [RuleScenario] = [
    RuleScenario(.failedStart, "a program that is none, and one that ends before it is ready") {
      for path in ["/no/such/program", "/bin/true"] {
        try await ends(#""fault":"good""#, by: .failedStart, program: URL(fileURLWithPath: path))
      }
    },
    RuleScenario(.exited, "exit() without a reply") {
      try await ends(#""fault":"exit","size":0"#, by: .exited)
    },
    RuleScenario(.crashed, "a trap, and abort()") {
      try await ends(#""fault":"trap""#, by: .crashed)
      try await ends(#""fault":"abort""#, by: .crashed)
    },
    RuleScenario(.memoryLimit, "100 MiB") {
      try await ends(#""fault":"allocate","size":100,"holds":1"#, by: .memoryLimit)
    },
    RuleScenario(.notificationCenter, "what is set after the reply has no effect, nothing is read")
    {
      let center = UNUserNotificationCenter(readsUntilVisible: 0)
      let world = World { app, _ in app.center = center }
      let read = Mutex<[Int]>([])
      let (over, end) = AsyncStream<Void>.makeStream()
      _ = try await world.deliver { request, reply in
        let own = UNUserNotificationCenter.current()
        let note: @Sendable (Set<UNNotificationCategory>) -> Void = { categories in
          read.withLock { $0.append(categories.count) }
        }
        for identifiers in [["A"], ["A", "B"]] {
          own.setNotificationCategories(
            Set(
              identifiers.map {
                UNNotificationCategory(
                  identifier: $0, actions: [], intentIdentifiers: [], options: [])
              }))
          own.getNotificationCategories(completionHandler: note)
          reply(request.content)
        }
        end.finish()
      }
      for await _ in over {}
      #expect(read.withLock { $0 } == [1, 0])
      #expect(await center.notificationCategories().map(\.identifier) == ["A"])
    },
  ]
}
