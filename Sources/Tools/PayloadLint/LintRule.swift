/// A rule of `martlet lint`: its code, its severity, the reason and the fix.
///
/// Codes are stable: the code of a removed rule is never used again.
package struct LintRule: Sendable {
  /// The severity of a finding.
  package enum Severity: String, Sendable, CaseIterable {
    /// The push, or a part of it, does not arrive or is not shown.
    case error
    /// Something is shown differently than intended, or relies on undocumented behavior.
    case warning
    /// Worth knowing.
    case note
  }

  /// A payload that breaks a rule or does not, with the headers that the rule reads.
  package struct Example: Sendable, ExpressibleByStringLiteral {
    package var json: String
    package var headers: LintHeaders

    package init(_ json: String, _ headers: LintHeaders = LintHeaders()) {
      self.json = json
      self.headers = headers
    }

    package init(stringLiteral json: String) { self.init(json) }

    /// Whether the payload is shortened with `…`, so that it cannot be parsed.
    package var isAbridged: Bool { json.contains("…") }
  }

  /// The code, such as `M101`; its first digit names the subject.
  package var code: String
  package var severity: Severity
  /// The problem that the rule finds, in one line without a full stop.
  package var summary: String
  /// The reason why it matters, in whole sentences.
  package var why: String
  /// A payload that breaks the rule.
  package var bad: Example
  /// The payload without the problem.
  package var good: Example
  /// The fix for a finding, without a full stop.
  package var fix: String
  let check: @Sendable (LintSubject) -> [LintFinding]

  init(
    _ code: String, _ severity: Severity, summary: String, why: String, bad: Example,
    good: Example, fix: String, check: @escaping @Sendable (LintSubject) -> [LintFinding]
  ) {
    self.code = code
    self.severity = severity
    self.summary = summary
    self.why = why
    self.bad = bad
    self.good = good
    self.fix = fix
    self.check = check
  }
}

/// A problem that a rule found in a payload.
package struct LintFinding: Hashable, Sendable {
  /// The JSON path of the value, such as `$.aps.badge`; `$` for the payload, or the name of a header.
  package var path: String
  /// The problem, and the values that are allowed.
  ///
  /// It does not contain values that may be secret.
  package var message: String
  /// The offset of the byte that the finding is about; `nil` means the value at ``path``.
  var offset: Int?

  init(_ path: String, _ message: String, offset: Int? = nil) {
    self.path = path
    self.message = message
    self.offset = offset
  }
}

/// The headers of the request with the payload; a header is `nil` if it is unknown.
package struct LintHeaders: Hashable, Sendable {
  package var pushType: String?
  package var priority: String?
  package var expiration: String?
  package var collapseID: String?
  package var topic: String?

  package init(
    pushType: String? = nil, priority: String? = nil, expiration: String? = nil,
    collapseID: String? = nil, topic: String? = nil
  ) {
    self.pushType = pushType
    self.priority = priority
    self.expiration = expiration
    self.collapseID = collapseID
    self.topic = topic
  }

  /// The known headers, by the names of the command-line options that set them.
  package var options: [(name: String, value: String)] {
    let all = [
      ("--push-type", pushType), ("--priority", priority), ("--expiration", expiration),
      ("--collapse-id", collapseID), ("--topic", topic),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }
}
