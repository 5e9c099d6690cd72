import Foundation
import NotificationHost
import Testing

/// A scenario that shows one rule of the model.
struct RuleScenario: Sendable, CustomTestStringConvertible {
  var rule: HostRule
  /// What the scenario shows.
  var says: String
  var check: @Sendable () async throws -> Void

  init(_ rule: HostRule, _ says: String, check: @escaping @Sendable () async throws -> Void) {
    (self.rule, self.says, self.check) = (rule, says, check)
  }

  var testDescription: String {
    let step = DeliveryStep.all.firstIndex { $0.rules.contains(rule) }
    let place = step.map { "step \($0 + 1), " } ?? ""
    return "\(place)rule \(rule.number) \(rule.name): \(says)"
  }
}

/// A scenario for every rule. The other suites of this target test most rules in more detail.
@Suite("Each rule of the model", .serialized, .timeLimit(.minutes(10)))
struct RuleScenarioTests {
  static let all: [RuleScenario] =
    request + texts + eligibility + run + reply + outcome + attachments + environment + process
    + files + expanded + destinations

  @Test("is followed", arguments: all)
  func isFollowed(scenario: RuleScenario) async throws { try await scenario.check() }

  @Test("belongs to one step of the delivery, as in the document")
  func steps() throws {
    let rules = DeliveryStep.all.flatMap(\.rules) + DeliveryStep.rulesOfEveryStep
    #expect(rules.map(\.number).sorted() == HostRule.all.map(\.number))
    let rows =
      try String(contentsOf: HostRuleTests.page, encoding: .utf8)
      .components(separatedBy: "## The delivery of a push").last?
      .components(separatedBy: "\n## ").first?
      .split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst() ?? []
    #expect(rows.map(String.init) == DeliveryStep.all.enumerated().map { $1.row($0 + 1) })
  }

  @Test("has a scenario here")
  func complete() {
    let shown = Set(Self.all.map(\.rule.name))
    for rule in HostRule.all {
      #expect(
        shown.contains(rule.name), "there is no scenario for rule \(rule.number), \(rule.name)")
    }
  }
}
