import BundleDoctor
import Foundation
import TestSupport
import Testing

@Suite("docs/app/doctor.md")
struct DocumentationTests {
  private static let file = Repository.url("docs/app/doctor.md")

  @Test("the page is that of the rules; RECORD_DOCS=1 writes it again")
  func page() throws {
    if ProcessInfo.processInfo.environment["RECORD_DOCS"] == "1" {
      try Data(RulePage.text.utf8).write(to: Self.file)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == RulePage.text)
  }

  @Test("every rule has a summary, a reason and a fix, in sentences", arguments: BundleDoctor.rules)
  func sentences(_ rule: DoctorRule) {
    #expect(!rule.summary.hasSuffix("."))
    #expect(rule.why.hasSuffix(".") && rule.fix.hasSuffix("."))
    #expect(rule.code.utf8.allSatisfy { $0 == 0x2d || 0x61...0x7a ~= $0 })
  }
}
