/// One thing that `martlet lint` looks for: its code, how much it matters, why, and the cure.
///
/// Codes are stable: a rule that goes takes its code with it, and none is given twice.
package struct LintRule: Sendable {
  /// How much a finding matters.
  package enum Severity: String, Sendable, CaseIterable {
    /// Something does not reach the phone, or is not shown.
    case error
    /// Something is shown otherwise than it was meant, or by luck.
    case warning
    /// Worth knowing.
    case note
  }

  /// A payload that a rule fires on, or one that it does not, with the headers that matter.
  package struct Example: Sendable, ExpressibleByStringLiteral {
    package var json: String
    package var headers: LintHeaders

    package init(_ json: String, _ headers: LintHeaders = LintHeaders()) {
      self.json = json
      self.headers = headers
    }

    package init(stringLiteral json: String) { self.init(json) }

    /// Whether something was left out, so that it is for reading only.
    package var isAbridged: Bool { json.contains("…") }
  }

  /// `M101`; the first digit names the subject.
  package var code: String
  package var severity: Severity
  /// One line without a full stop.
  package var summary: String
  package var why: String
  package var bad: Example
  package var good: Example
  /// What to do, as advice beside each finding.
  package var fix: String
  let check: @Sendable (LintSubject) -> [LintFinding]

  init(
    _ code: String, _ severity: Severity, _ summary: String, why: String, bad: Example,
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

/// What a rule found, and where.
package struct LintFinding: Hashable, Sendable {
  /// A JSON path from the top, `$.aps.badge`; `$` for the payload, a header's name for a header.
  package var path: String
  /// What is wrong, without the value itself where that may be a secret.
  package var message: String
  /// The byte it is about, where that is not the value at the path.
  var offset: Int?

  init(_ path: String, _ message: String, offset: Int? = nil) {
    self.path = path
    self.message = message
    self.offset = offset
  }
}

/// Headers of the request that carries the payload, as far as they are known.
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

  /// Those that are there, by the name of the option that gives them.
  package var options: [(name: String, value: String)] {
    let all = [
      ("--push-type", pushType), ("--priority", priority), ("--expiration", expiration),
      ("--collapse-id", collapseID), ("--topic", topic),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }
}
