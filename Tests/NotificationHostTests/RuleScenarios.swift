import Foundation
import NotificationHost
import Testing

/// One rule of the model at work: what shows that the host keeps it.
struct RuleScenario: Sendable, CustomTestStringConvertible {
  var rule: HostRule
  /// What is shown, in words.
  var says: String
  var check: @Sendable () async throws -> Void

  init(_ rule: HostRule, _ says: String, check: @escaping @Sendable () async throws -> Void) {
    (self.rule, self.says, self.check) = (rule, says, check)
  }

  var testDescription: String {
    let step = HostStep.all.firstIndex { $0.rules.contains(rule) }
    let place = step.map { "step \($0 + 1), " } ?? ""
    return "\(place)rule \(rule.number) \(rule.name): \(says)"
  }
}

/// Every rule by its number and name; more about most of them stands in the suites beside this one.
@Suite("Each rule of the model", .serialized, .timeLimit(.minutes(1)))
struct RuleScenarioTests {
  static let all: [RuleScenario] =
    request + texts + eligibility + run + reply + outcome + attachments + surroundings + process

  @Test("is kept", arguments: all)
  func isKept(scenario: RuleScenario) async throws { try await scenario.check() }

  @Test("belongs to one step of a push's way, as the document numbers them")
  func steps() throws {
    let rules = HostStep.all.flatMap(\.rules) + HostStep.surroundings
    #expect(rules.map(\.number).sorted() == HostRule.all.map(\.number))
    let rows =
      try String(contentsOf: HostRuleTests.page, encoding: .utf8)
      .components(separatedBy: "## The way of a push").last?
      .components(separatedBy: "\n## ").first?
      .split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst() ?? []
    #expect(rows.map(String.init) == HostStep.all.enumerated().map { $1.row($0 + 1) })
  }

  @Test("has a scenario here")
  func complete() {
    let shown = Set(Self.all.map(\.rule.name))
    for rule in HostRule.all {
      #expect(shown.contains(rule.name), "nothing shows rule \(rule.number), \(rule.name)")
    }
  }
}
