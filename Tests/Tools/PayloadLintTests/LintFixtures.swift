import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

/// A payload in `Tests/Fixtures/lint` or `Tests/Fixtures/dialects`, with its headers.
struct LintFixture: CustomTestStringConvertible, Sendable {
  /// `lint/M101/bad`, `dialects/sailthru/typical`.
  var name: String
  var bytes: [UInt8]
  var headers: LintHeaders

  var testDescription: String { name }
  /// The time at which fixtures are checked: 22 November 2026.
  static let now: Int64 = 1_795_305_600

  var subject: LintSubject { LintSubject(bytes, headers: headers, now: Self.now) }
  /// The codes of the findings.
  var codes: Set<String> { Set(LintReport(subject).entries.map(\.rule.code)) }

  static func rule(_ code: String, _ kind: String) throws -> LintFixture {
    let folder = "lint/\(code)"
    let file = Fixtures.url("\(folder)/headers.json")
    let headers = (try? JSONValue(parsing: Data(contentsOf: file)))?[kind]
    return LintFixture(
      name: "\(folder)/\(kind)", bytes: try Fixtures.bytes("\(folder)/\(kind).json"),
      headers: LintHeaders(headers))
  }

  static let rules: [LintFixture] = LintRules.all.flatMap { rule in
    ["bad", "good"].compactMap { try? LintFixture.rule(rule.code, $0) }
  }

  static let dialects: [LintFixture] = {
    let folder = Fixtures.url("dialects")
    let files = FileManager.default.enumerator(atPath: folder.path()) ?? .init()
    return files.compactMap { $0 as? String }.sorted()
      .filter { $0.contains("/") && $0.hasSuffix(".json") }
      .map { file in
        LintFixture(
          name: "dialects/\(file.dropLast(5))",
          bytes: (try? Fixtures.bytes("dialects/\(file)")) ?? [], headers: LintHeaders())
      }
  }()
}

extension LintHeaders {
  /// Reads the headers of a fixture, by the names of the command-line options.
  init(_ json: JSONValue?) {
    self.init(
      pushType: json?["push-type"]?.string, priority: json?["priority"]?.string,
      expiration: json?["expiration"]?.string, collapseID: json?["collapse-id"]?.string,
      topic: json?["topic"]?.string)
  }
}

extension LintReport {
  init(_ json: String, _ headers: LintHeaders = LintHeaders()) {
    self.init(LintSubject(json.utf8, headers: headers, now: LintFixture.now))
  }

  /// The code and the path of each finding: `M206 $.aps.badge`.
  var lines: [String] { entries.map { "\($0.rule.code) \($0.path)" } }
}
