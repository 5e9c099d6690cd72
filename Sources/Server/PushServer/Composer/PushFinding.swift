import APNs
import PayloadLint
import PushModel
import PushPayload

/// A finding in a payload that is not sent yet, with its path in the request.
struct PushFinding: Sendable {
  var code: String
  var severity: LintRule.Severity
  var path: String
  var message: String
  var advice: String

  var json: JSONValue {
    [
      "code": .string(code), "severity": .string(severity.rawValue), "path": .string(path),
      "message": .string(message), "advice": .string(advice),
    ]
  }

  /// The answer to a request that has this error.
  var refusal: RequestError {
    var error = RequestError.refused(path, advice.isEmpty ? message : "\(message); \(advice)")
    error.word = code
    return error
  }
}

extension BodyValue {
  /// Composes the payload of a push that is about to be accepted, and refuses what `martlet lint` calls an error.
  ///
  /// A value that Liquid writes differs between devices, so an error in its sample value is not refused.
  ///
  /// `isForced` accepts errors, because the caller has decided to.
  ///
  /// - Throws: ``RequestError`` `.malformed` or `.invalid` with the JSON path.
  @discardableResult
  func judged(
    at now: Timestamp, isForced: Bool = false
  ) throws(RequestError) -> (composer: Composer, sample: [UInt8]) {
    let composed = try composed(at: now)
    if !isForced, let error = try faults(in: composed, at: now).first { throw error.refusal }
    return composed
  }

  /// Returns the findings for which a composed sample of this payload is refused.
  func faults(
    in composed: (composer: Composer, sample: [UInt8]), at now: Timestamp
  ) throws(RequestError) -> [PushFinding] {
    try findings(in: composed, at: now).filter(isFault)
  }

  /// Returns the findings of `martlet lint` in a composed sample of this payload, in the words of the API.
  func findings(
    in composed: (composer: Composer, sample: [UInt8]), at now: Timestamp
  ) throws(RequestError) -> [PushFinding] {
    let caller = try CallerPayload(self)
    let headers = LintHeaders(
      pushType: composed.composer.pushType.rawValue, priority: String(composed.composer.priority))
    let report = LintReport(
      LintSubject(composed.sample, headers: headers, now: now.milliseconds / 1000))
    var findings = report.entries.map { PushFinding($0, in: caller) }
    if let text = caller.alertInAps {
      findings.append(
        PushFinding(
          code: "M224", severity: .error, path: text.path, message: "is a text outside of alert",
          advice: "move it to \(path(to: "alert")), where it may have Liquid and locales"))
    }
    return findings
  }

  /// Whether an error is in the caller's own text, rather than in Liquid's output for a device without values.
  private func isFault(_ finding: PushFinding) -> Bool {
    guard finding.severity == .error else { return false }
    let texts: Set = ["alert", "title", "subtitle"]
    let members = value.object ?? [:]
    guard
      let name = members.keys.first(where: { name in
        let path = path(to: name)
        guard finding.path.hasPrefix(path) else { return false }
        let next = finding.path.dropFirst(path.count).first
        return next == nil || next == "." || next == "["
      })
    else { return true }
    // A text may be empty if another one is not.
    let changing = texts.contains(name) ? texts : [name]
    return !changing.contains { members[$0]?.hasLiquid == true }
  }
}

extension PushFinding {
  init(_ problem: Personalization.Problem) {
    self.init(
      code: problem.code.rawValue, severity: .warning, path: problem.path, message: problem.message,
      advice: problem.advice ?? "")
  }

  /// Makes the finding of a rule, with the path at which the caller gave the value.
  fileprivate init(_ entry: LintReport.Entry, in caller: CallerPayload) {
    self.init(
      code: entry.rule.code, severity: entry.rule.severity,
      path: caller.path(ofComposed: entry.path), message: entry.message, advice: entry.rule.fix)
    if entry.rule.code == LintRules.noEffect {
      message = "has no alert, title, subtitle, badge, sound or content_available"
      advice = caller.likelyText ?? "add an alert, or content_available to wake the app"
    }
  }
}

extension CallerPayload {
  /// The path in the request for a path of the composed payload, or for a header of the push.
  func path(ofComposed path: String) -> String {
    guard path.hasPrefix("$") else {
      return path == "apns-collapse-id" ? field.path(to: "collapse_key") : field.path
    }
    let rest = path.dropFirst("$".count)
    guard rest == ".aps" || rest.hasPrefix(".aps.") else { return field.path + rest }
    let inAps = rest.dropFirst(".aps".count)
    if inAps == ".alert" || inAps.hasPrefix(".alert.") { return self.path(ofText: inAps) }
    for key in Self.keys where inAps == ".\(key.apple)" || inAps.hasPrefix(".\(key.apple).") {
      return (self[key.name]?.path ?? field.path(to: key.name))
        + inAps.dropFirst(".\(key.apple)".count)
    }
    return inAps.isEmpty ? field.path : field.path + rest
  }

  /// The path in the request for a member of `aps.alert`, whose title and subtitle may stand beside `alert`.
  private func path(ofText text: Substring) -> String {
    let alert = self["alert"]
    let member = text.dropFirst(".alert.".count)
    let keys = alert?.value.object?.keys.map { AppleAlert.apple($0) } ?? []
    if let alert, keys.contains(String(member)) {
      return alert.path(to: String(member))
    }
    for name in ["title", "subtitle"] where member == name || member.hasPrefix("\(name)-") {
      if let value = field[name] { return value.path }
    }
    return (alert ?? field["title"] ?? field["subtitle"])?.path ?? field.path(to: "alert")
  }

  /// The advice for a payload without an effect whose custom data has a likely name of the text.
  fileprivate var likelyText: String? {
    let words: Set = ["alert", "body", "message", "text", "content", "msg"]
    let name = custom.keys.sorted().first { words.contains($0.lowercased()) }
    return name.map { "\($0) is custom data, and \(field.path(to: "alert")) is the text" }
  }
}
