import Foundation
import NotificationHost
import TestSupport
import Testing

@Suite("The rules of the model")
struct HostRuleTests {
  static let page = Repository.url("docs/app/ios-model.md")

  @Test("the document and the code have the same rules")
  func document() throws {
    let rows = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n")
      .filter { $0.wholeMatch(of: /\| [0-9]+ \| `.*/) != nil }
    let rules = HostRule.all.map { rule in
      let switches = rule.switches.map { "`\($0)`" }.joined(separator: ", ")
      return "| \(rule.number) | `\(rule.name)` | \(rule.summary) | \(rule.evidence.rawValue) "
        + "| \(switches) |"
    }
    #expect(rows.map(String.init) == rules)
  }

  @Test("rules are numbered without gaps and have unique names")
  func numbers() {
    #expect(HostRule.all.map(\.number) == Array(1...HostRule.all.count))
    #expect(Set(HostRule.all.map(\.name)).count == HostRule.all.count)
  }

  @Test("every switch belongs to a rule, and every rule's switch exists")
  func switches() {
    let properties = Mirror(reflecting: HostBehavior()).children.compactMap(\.label)
    #expect(Set(properties) == Set(HostRule.all.flatMap(\.switches)))
  }
}
