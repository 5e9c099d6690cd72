import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing
import UserNotifications

/// Every row of the outcome table, and the conditions for running the extension.
@Suite("What the person sees", .timeLimit(.minutes(10)))
struct OutcomeTableTests {
  /// The rows of the table in `docs/app/ios-model.md`.
  private enum Reply: String, Sendable {
    case text = "content with a title, subtitle or body"
    case noText = "content without"
    case none = "none"
  }

  private struct Row: Sendable, CustomTestStringConvertible {
    var reply: Reply
    var filters = false
    var pushType: String? = "alert"
    var suppresses = true
    var outcome: DeliveryReport.Outcome
    var rule: HostRule
    var testDescription: String {
      "\(reply.rawValue), with\(filters ? "" : "out") the filtering entitlement, push type "
        + "\(pushType ?? "absent"): \(outcome.rawValue), by \(rule.name)"
    }
  }

  private static let rows = [
    Row(reply: .text, outcome: .displayed, rule: .replyWithText),
    Row(reply: .text, filters: true, outcome: .displayed, rule: .replyWithText),
    Row(reply: .noText, outcome: .displayedOriginal, rule: .replyWithoutText),
    Row(reply: .noText, filters: true, outcome: .suppressed, rule: .replyWithoutTextFiltered),
    Row(reply: .none, outcome: .displayedOriginal, rule: .noReply),
    Row(reply: .none, filters: true, outcome: .suppressed, rule: .noReplyFiltered),
    Row(
      reply: .none, filters: true, suppresses: false, outcome: .displayedOriginal, rule: .noReply),
    // The entitlement applies only to push type `alert`.
    Row(
      reply: .noText, filters: true, pushType: nil, outcome: .displayedOriginal,
      rule: .replyWithoutText),
    Row(reply: .none, filters: true, pushType: nil, outcome: .displayedOriginal, rule: .noReply),
  ]

  @Test("the document's table has the same rows")
  func document() throws {
    let page = try String(contentsOf: HostRuleTests.page, encoding: .utf8)
    func cell(_ reply: Reply, filters: Bool) throws -> String {
      let row = try #require(Self.rows.first { $0.reply == reply && $0.filters == filters })
      return "\(row.outcome.rawValue), by `\(row.rule.name)`"
    }
    for reply in [Reply.text, .noText, .none] {
      let plain = try cell(reply, filters: false)
      let filtered = try cell(reply, filters: true)
      let row = "| \(reply.rawValue) | \(plain) | \(plain == filtered ? "the same" : filtered) |"
      #expect(page.contains(row))
    }
  }

  /// The cases of the row "none".
  private struct NoReply: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var keys: String
    var rule: HostRule
    var program: URL?
    var behavior = HostBehavior()
  }

  private static let noReplies = [
    NoReply(testDescription: "no call", keys: #""fault":"never""#, rule: .timeLimit),
    NoReply(
      testDescription: "time-out", keys: #""fault":"block""#, rule: .timeLimit,
      behavior: IsolatedPhone.short),
    NoReply(testDescription: "crash", keys: #""fault":"trap""#, rule: .crashed),
    NoReply(testDescription: "exit", keys: #""fault":"exit","size":7"#, rule: .exited),
    NoReply(
      testDescription: "killed for its memory", keys: #""fault":"allocate","size":100,"holds":1"#,
      rule: .memoryLimit),
    NoReply(
      testDescription: "failed start", keys: #""fault":"good""#, rule: .failedStart,
      program: URL(filePath: "/bin/true")),
  ]

  @Test(
    "no reply: the original is shown, or suppressed with the filtering entitlement",
    arguments: noReplies, [false, true])
  private func noReply(_ cause: NoReply, filters: Bool) async throws {
    let report = try await IsolatedPhone(filters: filters).deliver(
      cause.keys, behavior: cause.behavior, program: cause.program)
    #expect(report.outcome == (filters ? .suppressed : .displayedOriginal), "\(report)")
    #expect(report.rule == (filters ? .noReplyFiltered : .noReply), "\(report)")
    #expect(report.names(cause.rule), "\(report)")
    #expect(report.content?.body == (filters ? nil : "B"))
  }

  @Test("the outcome follows from the reply and the filtering entitlement", arguments: rows)
  private func table(row: Row) async throws {
    let world = World { app, behavior in
      app.entitlements.filtering = row.filters
      behavior.suppressesWithoutReply = row.suppresses
    }
    let report = try await world.deliver(World.plain, pushType: row.pushType) { request, reply in
      guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
        return
      }
      content.badge = 7
      if row.reply == .noText { (content.title, content.body) = ("", "") }
      if row.reply != .none { reply(content) }
    }
    #expect(report.outcome == row.outcome)
    #expect(report.rule == row.rule)
    #expect(report.trace.last?.rule == row.rule.name)
    switch row.outcome {
    case .displayed: #expect(report.content?.badge == 7)
    case .displayedOriginal: #expect(report.content?.title == "T" && report.content?.badge == nil)
    default:
      // The badge of a suppressed reply takes effect.
      #expect(report.content?.badge == (row.reply == .noText ? 7 : nil))
      #expect(report.content?.title ?? "" == "")
    }
  }

  private struct Gate: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var json = World.plain
    var pushType: String? = "alert"
    var change: @Sendable (inout VirtualPhone.App, inout HostBehavior) -> Void = { _, _ in }
    var runs = false
    var outcome: DeliveryReport.Outcome
    var rule: HostRule
  }

  private static let badge = #"{"aps":{"badge":1,"mutable-content":1}}"#
  private static let silent =
    #"{"aps":{"content-available":1,"mutable-content":1,"alert":"B"}}"#

  private static let gates = [
    Gate(
      testDescription: "not registered", change: { app, _ in app.isRegistered = false },
      outcome: .dropped, rule: .acceptance),
    Gate(
      testDescription: "nothing allowed", change: { app, _ in app.settings = .denied },
      outcome: .notDisplayed, rule: .acceptance),
    Gate(
      testDescription: "nothing allowed, but it may wake the app", json: silent,
      change: { app, _ in app.settings = .denied }, outcome: .notDisplayed, rule: .alertsOff),
    Gate(
      testDescription: "nothing allowed, and the app may not be woken", json: silent,
      change: { app, _ in (app.settings, app.receivesBackgroundPushes) = (.denied, false) },
      outcome: .notDisplayed, rule: .acceptance),
    Gate(
      testDescription: "nothing usable", json: #"{"aps":{"alert":""}}"#, outcome: .dropped,
      rule: .usablePayload),
    Gate(
      testDescription: "not mutable", json: #"{"aps":{"alert":"B"}}"#, outcome: .displayed,
      rule: .alertShown),
    Gate(testDescription: "no alert", json: badge, outcome: .notDisplayed, rule: .noAlert),
    Gate(
      testDescription: "no alert, filtering", json: badge,
      change: { app, _ in app.entitlements.filtering = true }, runs: true, outcome: .suppressed,
      rule: .replyWithoutTextFiltered),
    Gate(
      testDescription: "background", pushType: "background", outcome: .notDisplayed,
      rule: .backgroundPush),
    Gate(
      testDescription: "background, not enforced", pushType: "background",
      change: { _, behavior in behavior.enforcesPushType = false }, runs: true,
      outcome: .displayed, rule: .replyWithText),
    Gate(
      testDescription: "a watch without a push type", pushType: nil,
      change: { _, behavior in behavior.requiresPushType = true }, outcome: .displayed,
      rule: .alertShown),
    Gate(
      testDescription: "provisional", change: { app, _ in app.settings = .provisional },
      runs: true, outcome: .displayed, rule: .replyWithText),
    Gate(
      testDescription: "passive",
      json: #"{"aps":{"alert":"B","mutable-content":1,"interruption-level":"passive"}}"#,
      runs: true, outcome: .displayed, rule: .replyWithText),
    Gate(
      testDescription: "sounds alone",
      change: { app, _ in
        app.settings = .denied
        app.settings.sounds = true
      }, outcome: .notDisplayed, rule: .alertsOff),
    Gate(
      testDescription: "sounds alone, filtering",
      change: { app, _ in
        app.settings = .denied
        app.settings.sounds = true
        app.entitlements.filtering = true
      }, runs: true, outcome: .notDisplayed, rule: .alertsOff),
  ]

  @Test("the extension runs if every condition holds", arguments: gates)
  private func eligibility(gate: Gate) async throws {
    let world = World(gate.change)
    let report = try await world.deliver(gate.json, pushType: gate.pushType) { request, reply in
      reply(request.content)
    }
    #expect(report.run.ran == gate.runs)
    #expect(report.outcome == gate.outcome)
    #expect(report.rule == gate.rule)
  }

  @Test("an alert with content-available wakes the app", arguments: [true, false])
  func wakes(mayBeWoken: Bool) async throws {
    let world = World { app, _ in app.receivesBackgroundPushes = mayBeWoken }
    let report = try await world.deliver(Self.silent) { $1($0.content) }
    #expect(report.wakesApp == mayBeWoken && report.outcome == .displayed)
  }

  @Test("levels without the entitlement become active, and critical sounds become normal")
  func levels() async throws {
    let json =
      #"{"aps":{"alert":"B","interruption-level":"critical","sound":{"critical":1,"name":"x"}}}"#
    let report = try await World().deliver(json)
    #expect(report.content?.interruptionLevel == "active" && report.content?.sound == "x")
    #expect(report.trace.contains { $0.rule == HostRule.criticalLevel.name })
    let entitled = World { app, _ in app.entitlements.criticalAlerts = true }
    #expect(try await entitled.deliver(json).content?.interruptionLevel == "critical")
    let late = #"{"aps":{"alert":"B","interruption-level":"time-sensitive"}}"#
    #expect(try await World().deliver(late).content?.interruptionLevel == "time-sensitive")
    let plain = World { app, _ in app.entitlements.timeSensitive = false }
    #expect(try await plain.deliver(late).content?.interruptionLevel == "active")
  }
}
