import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

/// A payload of `faults.json` or `valid.json` with the codes that lint must report.
///
/// The expectations were written before lint was run. `source` names the thread, the page or the
/// specification where the fault or the form of the payload was found; texts and URLs are our own.
struct LintRow: CustomTestStringConvertible, Sendable {
  var name: String
  var bytes: [UInt8]
  var headers: LintHeaders
  var codes: Set<String>
  /// Further findings that follow from the same fault.
  var also: Set<String>
  var source: String

  var testDescription: String { name }

  init(_ json: JSONValue) throws {
    name = try #require(json["name"]?.string)
    let payload = try #require(json["payload"])
    bytes = payload.string.map { Array($0.utf8) } ?? Array(payload.serialized())
    headers = LintHeaders(json["headers"])
    codes = Set(try #require(json["codes"]?.array).compactMap(\.string))
    also = Set((json["also"]?.array ?? []).compactMap(\.string))
    source = try #require(json["source"]?.string)
  }

  static func table(_ name: String) -> [LintRow] {
    let json = try? JSONValue(parsing: Data(Fixtures.bytes("lint/\(name).json")))
    return (json?.array ?? []).compactMap { try? LintRow($0) }
  }

  static let faults = table("faults")
  static let valid = table("valid")

  var report: LintReport {
    LintReport(LintSubject(bytes, headers: headers, now: LintFixture.now))
  }
}

@Suite("What people get wrong, and what vendors document")
struct FaultTableTests {
  @Test("there are 150 faults and 60 valid payloads at least, each with its source")
  func sizes() {
    #expect(LintRow.faults.count >= 150 && LintRow.valid.count >= 60)
    for rows in [LintRow.faults, LintRow.valid] {
      #expect(Set(rows.map(\.name)).count == rows.count)
      #expect(rows.allSatisfy { !$0.source.isEmpty })
    }
    #expect(LintRow.faults.allSatisfy { !$0.codes.isEmpty })
  }

  @Test(
    "a fault is reported with its code, and with no error of another", arguments: LintRow.faults)
  func fault(row: LintRow) {
    let report = row.report
    let found = Set(report.entries.map(\.rule.code))
    #expect(found.isSuperset(of: row.codes), "\(row.source): \(report.lines)")
    let errors = Set(report.entries.filter { $0.rule.severity == .error }.map(\.rule.code))
    #expect(errors.isSubset(of: row.codes.union(row.also)), "\(row.source): \(report.lines)")
  }

  @Test(
    "a documented payload has no error, and only the warnings that its row lists",
    arguments: LintRow.valid)
  func valid(row: LintRow) {
    let report = row.report
    let found = Set(
      report.entries.filter { $0.rule.severity != .note || row.codes.contains($0.rule.code) }
        .map(\.rule.code))
    #expect(!report.hasErrors, "\(row.source): \(report.lines)")
    #expect(found == row.codes, "\(row.source): \(report.lines)")
  }

  @Test("a finding never repeats the text of the payload")
  func secrets() {
    for row in LintRow.faults where !row.codes.contains("M101") {
      for entry in row.report.entries {
        #expect(!entry.message.contains("example.com") && !entry.message.contains("secret"))
      }
    }
  }
}
