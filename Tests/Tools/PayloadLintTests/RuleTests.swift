import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

@Suite("The rules of martlet lint")
struct RuleTests {
  static let codes = LintRules.all.map(\.code)

  @Test("have unique codes that never change")
  func stableCodes() throws {
    #expect(Self.codes.count >= 40)
    #expect(Set(Self.codes).count == Self.codes.count)
    #expect(Self.codes.allSatisfy { $0.wholeMatch(of: /M[1-9][0-9]{2}/) != nil })
    // The code of a removed rule is never used again, so this list only grows.
    let known = try String(contentsOf: Fixtures.url("lint/codes.txt"), encoding: .utf8)
    #expect(Self.codes == known.split(separator: "\n").map(String.init))
  }

  @Test("find the problem in their bad fixture and not in their good one", arguments: codes)
  func fixtures(code: String) throws {
    let bad = try LintFixture.rule(code, "bad")
    #expect(bad.codes.contains(code))
    let good = try LintFixture.rule(code, "good")
    #expect(!good.codes.contains(code))
  }

  @Test("have good fixtures without an error or a warning")
  func goodFixtures() {
    for fixture in LintFixture.rules where fixture.name.hasSuffix("good") {
      let report = LintReport(fixture.subject)
      #expect(
        report.count(.error) + report.count(.warning) == 0, "\(fixture.name): \(report.lines)")
    }
  }

  @Test(
    "have examples that show the problem and the fix", arguments: LintRules.all.map(\.code))
  func examples(code: String) throws {
    let rule = try #require(LintRules.rule(code))
    for (example, fires) in [(rule.bad, true), (rule.good, false)] where !example.isAbridged {
      let entries = LintReport(example.json, example.headers).entries
      #expect(entries.contains { $0.rule.code == code } == fires, "\(example.json)")
    }
  }

  @Test("do not duplicate another rule on every fixture")
  func distinct() {
    var fixturesOfRule: [String: [String]] = [:]
    for fixture in LintFixture.rules + LintFixture.dialects {
      for code in fixture.codes { fixturesOfRule[code, default: []].append(fixture.name) }
    }
    #expect(Set(fixturesOfRule.keys) == Set(Self.codes))
    for (fixtures, codes) in Dictionary(grouping: fixturesOfRule.keys, by: { fixturesOfRule[$0] }) {
      #expect(codes.count == 1, "\(codes.sorted()) all fire on \(fixtures ?? [])")
    }
  }

  @Test("find no error in a typical payload of any vendor", arguments: LintFixture.dialects)
  func dialects(fixture: LintFixture) {
    let report = LintReport(fixture.subject)
    #expect(!report.hasErrors || !fixture.name.contains("typical"), "\(report.lines)")
  }

  @Test("have a summary without a full stop, a reason, a fix and examples")
  func words() {
    for rule in LintRules.all {
      #expect(!rule.summary.hasSuffix(".") && rule.summary.count <= 72, "\(rule.code)")
      #expect(rule.why.hasSuffix("."), "\(rule.code)")
      #expect(!rule.fix.isEmpty && !rule.fix.hasSuffix("."), "\(rule.code)")
      #expect(rule.bad.json != rule.good.json || rule.bad.headers != rule.good.headers)
    }
  }
}
