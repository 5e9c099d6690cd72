import APNs
import PayloadLint
import PushPayload
import PushStore

extension API {
  /// The findings of a payload that is not sent yet: those of `martlet lint` in a composed sample, and the problems with
  /// the names that its texts read.
  ///
  /// `members` are the devices that would get it.
  func findings(
    in payload: BodyValue, composed sample: (composer: Composer, bytes: [UInt8]),
    for members: DeviceNumbers, app: String
  ) async throws(StoreError) -> JSONValue {
    let headers = LintHeaders(
      pushType: sample.composer.pushType.rawValue, priority: String(sample.composer.priority))
    let report = LintReport(
      LintSubject(sample.bytes, headers: headers, now: clock.now().milliseconds / 1000))
    let texts = Personalization(payload.value, at: payload.path)
    let problems = try await audiences.problems(of: texts, members: members, app: app)
    return .array(report.entries.map(\.json) + problems.map(\.json))
  }
}

extension LintReport.Entry {
  fileprivate var json: JSONValue {
    [
      "code": .string(rule.code), "severity": .string(rule.severity.rawValue),
      "path": .string(path), "message": .string(message), "advice": .string(rule.fix),
    ]
  }
}

extension Personalization.Problem {
  fileprivate var json: JSONValue {
    [
      "code": .string(code.rawValue), "severity": .string(LintRule.Severity.warning.rawValue),
      "path": .string(path), "message": .string(message), "advice": .string(advice ?? ""),
    ]
  }
}
