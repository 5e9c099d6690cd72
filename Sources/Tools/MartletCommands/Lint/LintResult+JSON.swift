import PayloadLint
import PushPayload

extension LintResult {
  /// One line of JSON; `nil` if the payload could not be read.
  var json: String? {
    guard let report else { return nil }
    let object: JSONValue = [
      "payload": .string(name),
      "errors": .integer(Int64(report.count(.error))),
      "warnings": .integer(Int64(report.count(.warning))),
      "notes": .integer(Int64(report.count(.note))),
      "findings": .array(
        report.entries.map { entry in
          [
            "code": .string(entry.rule.code), "severity": .string(entry.rule.severity.rawValue),
            "path": .string(entry.path), "message": .string(entry.sentence),
            "advice": .string(entry.rule.fix), "line": .integer(Int64(entry.position.line)),
            "column": .integer(Int64(entry.position.column)),
          ]
        }),
    ]
    return String(decoding: object.serialized(), as: UTF8.self)
  }
}
