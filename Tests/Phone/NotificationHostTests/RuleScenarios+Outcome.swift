import Foundation
import NotificationHost
import PushPayload
import TestSupport
import Testing
import UserNotifications

// What the person sees.

extension RuleScenarioTests {
  private static let filtering = World { app, _ in app.entitlements.filtering = true }
  private static let noText = World.changing {
    ($0.title, $0.subtitle, $0.body, $0.badge) = ("", "", "", 7)
  }

  static let outcome: [RuleScenario] = [
    RuleScenario(.replyWithText, "a title, a subtitle or a body is enough") {
      for part in [
        \UNMutableNotificationContent.title, \.subtitle, \.body,
      ] as [any ReferenceWritableKeyPath<UNMutableNotificationContent, String> & Sendable] {
        let report = try await World().deliver(
          World.plain,
          World.changing {
            ($0.title, $0.subtitle, $0.body) = ("", "", "")
            $0[keyPath: part] = "X"
          })
        #expect(report.outcome == .displayed && report.rule == .replyWithText, "\(report)")
      }
    },
    RuleScenario(.replyWithoutText, "content with none of the three: the original is shown") {
      let report = try await World().deliver(World.plain, noText)
      #expect(report.outcome == .displayedOriginal && report.rule == .replyWithoutText)
      #expect(report.content?.body == "B" && report.content?.badge == nil)
    },
    RuleScenario(.replyWithoutTextFiltered, "suppressed; the content's badge still applies") {
      let report = try await filtering.deliver(World.plain, noText)
      #expect(report.outcome == .suppressed && report.rule == .replyWithoutTextFiltered)
      #expect(report.content?.badge == 7 && report.content?.body == "")
    },
    RuleScenario(.noReply, "no call of the handler: the original is shown") {
      let report = try await World().deliver { _, _ in }
      #expect(report.outcome == .displayedOriginal && report.rule == .noReply)
    },
    RuleScenario(.noReplyFiltered, "no call of the handler: the original is suppressed") {
      let report = try await filtering.deliver { _, _ in }
      #expect(report.outcome == .suppressed && report.rule == .noReplyFiltered)
      let unsure = World { app, behavior in
        app.entitlements.filtering = true
        behavior.suppressesWithoutReply = false
      }
      #expect(try await unsure.deliver { _, _ in }.outcome == .displayedOriginal)
    },
    RuleScenario(.filteringPushType, "without push type alert the entitlement does not count") {
      let report = try await filtering.deliver(World.plain, pushType: nil, noText)
      #expect(report.outcome == .displayedOriginal && report.rule == .replyWithoutText)
    },
    RuleScenario(.alertShown, "an alert that is not mutable is shown as it is") {
      let report = try await World().deliver(#"{"aps":{"alert":"B"}}"#)
      #expect(report.outcome == .displayed && report.rule == .alertShown)
    },
    RuleScenario(.noAlert, "a badge alone shows nothing and applies") {
      let report = try await World().deliver(#"{"aps":{"badge":1,"sound":"default"}}"#)
      #expect(report.outcome == .notDisplayed && report.rule == .noAlert)
      #expect(report.content?.badge == 1 && report.content?.sound == "default")
    },
    RuleScenario(.alertsOff, "with sounds alone allowed nothing is shown") {
      let world = World { app, _ in
        app.settings = .denied
        app.settings.sounds = true
      }
      let report = try await world.deliver()
      #expect(report.outcome == .notDisplayed && report.rule == .alertsOff)
    },
    RuleScenario(.backgroundPush, "an alert sent as background is not shown") {
      let report = try await World().deliver(World.plain, pushType: "background")
      #expect(report.outcome == .notDisplayed && report.rule == .backgroundPush)
      let lenient = World { _, behavior in behavior.enforcesPushType = false }
      #expect(try await lenient.deliver(World.plain, pushType: "background").outcome == .displayed)
    },
    RuleScenario(.backgroundWake, "alert and content-available: shown, and the app is woken") {
      let json = #"{"aps":{"alert":"B","content-available":1}}"#
      let report = try await World().deliver(json)
      #expect(report.wakesApp && report.outcome == .displayed)
      let asleep = World { app, _ in app.receivesBackgroundPushes = false }
      #expect(try await !asleep.deliver(json).wakesApp)
    },
    RuleScenario(.userInfoReplaced, "the reply's userInfo stands alone; the identifier stays") {
      let host = World().host(World.changing { $0.userInfo = ["mine": 1] })
      let payload = try JSONValue(parsing: World.plain)
      let report = await host.deliver(PushMessage(payload: payload, collapseID: "c"))
      #expect(report.content?.userInfo == ["mine": 1])
      #expect(report.content?.requestIdentifier == "c")
    },
  ]
}
