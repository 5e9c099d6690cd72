import Foundation
import PayloadLint
import PushPayload

/// Findings in the Static Analysis Results Interchange Format, which code hosts show beside the
/// code.
///
/// Source: OASIS, SARIF version 2.1.0.
enum SARIF {
  /// One log with one run of all payloads.
  static func log(_ results: [LintResult]) -> String {
    let log: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": driver],
          "columnKind": "unicodeCodePoints",
          "invocations": [invocation(results)],
          "results": .array(results.flatMap(self.results)),
        ]
      ],
    ]
    return String(decoding: log.serialized(), as: UTF8.self)
  }

  private static var driver: JSONValue {
    [
      "name": "martlet lint", "version": .string(Martlet.version),
      "rules": .array(
        LintRules.all.map { rule in
          [
            "id": .string(rule.code), "shortDescription": ["text": .string(rule.summary)],
            "fullDescription": ["text": .string(rule.why)],
            "help": ["text": .string(LintManual.text(rule))],
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
          ]
        }),
    ]
  }

  /// The payloads that could not be read.
  private static func invocation(_ results: [LintResult]) -> JSONValue {
    let unread = results.filter { $0.report == nil }
    return [
      "executionSuccessful": .bool(unread.isEmpty),
      "toolExecutionNotifications": .array(
        unread.map { result in
          [
            "level": "error", "message": ["text": .string("cannot read \(result.name)")],
            "locations": [["physicalLocation": ["artifactLocation": artifact(result)]]],
          ]
        }),
    ]
  }

  private static func results(_ result: LintResult) -> [JSONValue] {
    (result.report?.entries ?? []).map { entry in
      [
        "ruleId": .string(entry.rule.code),
        "ruleIndex": .integer(Int64(index[entry.rule.code] ?? -1)),
        "level": .string(entry.rule.severity.rawValue),
        "message": ["text": .string("\(entry.sentence); fix: \(entry.rule.fix)")],
        "locations": [
          [
            "physicalLocation": [
              "artifactLocation": artifact(result),
              "region": [
                "startLine": .integer(Int64(entry.position.line)),
                "startColumn": .integer(Int64(entry.position.column)),
              ],
            ],
            "logicalLocations": [["fullyQualifiedName": .string(entry.path)]],
          ]
        ],
      ]
    }
  }

  private static let index = Dictionary(
    uniqueKeysWithValues: LintRules.all.enumerated().map { ($1.code, $0) })

  /// The file as a URI, relative where the path is, so that a code host finds it in the repository.
  private static func artifact(_ result: LintResult) -> JSONValue {
    if result.name == "-" { return ["uri": "stdin"] }
    if result.name.hasPrefix("/") {
      return ["uri": .string(URL(fileURLWithPath: result.name).absoluteString)]
    }
    let path = result.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    // A colon in the first segment would be read as the end of a scheme.
    return ["uri": .string((path ?? result.name).replacing(":", with: "%3A"))]
  }
}
