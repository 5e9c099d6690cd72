import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

@Suite("The rules of the doctor")
struct RuleTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  static let cases =
    RuleCase.embedding + RuleCase.identity + RuleCase.extensionKeys + RuleCase.content
    + RuleCase.martlet + RuleCase.executable + RuleCase.transport + RuleCase.signatures
    + RuleCase.profiles + RuleCase.entitlements + RuleCase.communication

  /// The diagnosis of an app with a layout.
  static func diagnosis(_ layout: AppLayout) throws -> BundleDoctor.Diagnosis {
    let folder = TemporaryFolder()
    let inspection = try Inspection(path: layout.write(in: folder.url), now: now)
    return withExtendedLifetime(folder) { BundleDoctor().examine(inspection) }
  }

  static func codes(_ layout: AppLayout) throws -> [String] {
    try diagnosis(layout).findings.map(\.rule.code)
  }

  @Test(
    "a good app has no finding in any container",
    arguments: [Inspection.Kind.app, .ipa, .xcarchive])
  func good(_ container: Inspection.Kind) throws {
    var layout = AppLayout.good
    layout.container = container
    let diagnosis = try Self.diagnosis(layout)
    #expect(diagnosis.findings.map { "\($0.rule.code): \($0.message)" } == [])
    #expect(diagnosis.skipped == [])
  }

  @Test(
    "each rule finds its fault, is silent without it, and no other rule reports the fault",
    arguments: cases)
  func rule(_ testCase: RuleCase) throws {
    var bad = AppLayout.good
    testCase.bad(&bad)
    let all = try Self.diagnosis(bad).findings
    let findings = all.filter { $0.rule.code == testCase.code }
    #expect(findings.count == 1)
    for finding in findings {
      #expect(!finding.message.isEmpty && !finding.path.isEmpty)
    }
    let others = Set(all.map(\.rule.code)).subtracting([testCase.code])
    #expect(others.isSubset(of: Self.alsoBroken[testCase.code] ?? []))
    var good = AppLayout.good
    testCase.good(&good)
    #expect(try !Self.codes(good).contains(testCase.code))
  }

  /// The other rules that the fault of a rule breaks too.
  private static let alsoBroken: [String: Set<String>] = [
    "deployment-target-high": ["app-not-seen"],
    "point-identifier": ["principal-class"],
  ]

  @Test("every rule has a case, and every case a rule")
  func complete() {
    #expect(Set(Self.cases.map(\.code)) == Set(BundleDoctor.rules.map(\.code)))
    #expect(Set(BundleDoctor.rules.map(\.code)).count == BundleDoctor.rules.count)
  }

  @Test("rules that cannot be checked are named")
  func skipped() throws {
    var layout = AppLayout.good
    layout.container = .appex
    layout.service?.code?.signature = nil
    let skipped = Set(try Self.diagnosis(layout).skipped)
    let rules = BundleDoctor.rules.filter { !$0.needs.allSatisfy { $0 == .device } }
    #expect(skipped == Set(rules.map(\.code)))
  }
}
