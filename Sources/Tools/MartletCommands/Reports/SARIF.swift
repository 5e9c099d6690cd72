import Foundation
import PushPayload

/// A log in the Static Analysis Results Interchange Format, which code hosts show next to the code.
///
/// It has one run of one command with all its inputs.
///
/// Source: OASIS, SARIF version 2.1.0.
struct SARIF {
  /// A rule of the command.
  struct Rule {
    let code: String
    let summary: String
    let why: String
    let help: String
    /// The SARIF level `error`, `warning` or `note`.
    let severity: String
  }

  /// A finding in one input.
  struct Result {
    let code: String
    let severity: String
    let message: String
    /// The given path of the input.
    let input: String
    /// The location of the finding inside the input: a JSON path, or the path of a bundle.
    let place: String
    /// The line and column, from 1, if the input is text.
    var position: (line: Int, column: Int)?
  }

  /// The command, such as `martlet lint`.
  let tool: String
  let rules: [Rule]
  let results: [Result]
  /// The paths of the inputs that could not be read.
  let unread: [String]

  var log: String {
    let log: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": driver],
          "columnKind": "unicodeCodePoints",
          "invocations": [invocation],
          "results": .array(resultObjects),
        ]
      ],
    ]
    return String(decoding: log.serialized(), as: UTF8.self)
  }

  private var driver: JSONValue {
    [
      "name": .string(tool), "version": .string(Martlet.version),
      "rules": .array(
        rules.map { rule in
          [
            "id": .string(rule.code), "shortDescription": ["text": .string(rule.summary)],
            "fullDescription": ["text": .string(rule.why)],
            "help": ["text": .string(rule.help)],
            "defaultConfiguration": ["level": .string(rule.severity)],
          ]
        }),
    ]
  }

  private var invocation: JSONValue {
    [
      "executionSuccessful": .bool(unread.isEmpty),
      "toolExecutionNotifications": .array(
        unread.map { path in
          [
            "level": "error", "message": ["text": .string("cannot read \(path)")],
            "locations": [["physicalLocation": ["artifactLocation": Self.artifact(path)]]],
          ]
        }),
    ]
  }

  private var resultObjects: [JSONValue] {
    let index = Dictionary(rules.enumerated().map { ($1.code, $0) }) { first, _ in first }
    return results.map { result in
      var location: [String: JSONValue] = ["artifactLocation": Self.artifact(result.input)]
      if let position = result.position {
        location["region"] = [
          "startLine": .integer(Int64(position.line)),
          "startColumn": .integer(Int64(position.column)),
        ]
      }
      return [
        "ruleId": .string(result.code),
        "ruleIndex": .integer(Int64(index[result.code] ?? -1)),
        "level": .string(result.severity), "message": ["text": .string(result.message)],
        "locations": [
          [
            "physicalLocation": .object(location),
            "logicalLocations": [["fullyQualifiedName": .string(result.place)]],
          ]
        ],
      ]
    }
  }

  /// The file as a URI, relative if the path is, so that a code host finds it in the repository.
  private static func artifact(_ name: String) -> JSONValue {
    if name == "-" { return ["uri": "stdin"] }
    if name.hasPrefix("/") { return ["uri": .string(URL(fileURLWithPath: name).absoluteString)] }
    let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    // A colon in the first segment would be parsed as the end of a scheme.
    return ["uri": .string((path ?? name).replacing(":", with: "%3A"))]
  }
}
