package import PushPayload

/// The result of checking one rule.
package struct ConformanceResult: Sendable {
  package enum Outcome: String, Sendable {
    /// The rule holds.
    case held
    /// The rule does not hold; ``ConformanceResult/problem`` says what differs.
    case failed
    /// The rule was not checked; ``ConformanceResult/problem`` says why.
    case skipped
  }

  package var rule: ConformanceRule
  package var outcome: Outcome
  /// What was sent, one text for each step.
  package var sent: [String] = []
  /// What came, one text for each step.
  package var came: [String] = []
  /// The difference from the rule, or the reason why it was not checked.
  package var problem: String?

  package init(_ rule: ConformanceRule, _ outcome: Outcome, problem: String? = nil) {
    self.rule = rule
    self.outcome = outcome
    self.problem = problem
  }

  /// The result as a line of text.
  package var line: String {
    let steps = zip(sent, came).map { "\($0) -> \($1)" }.joined(separator: "; ")
    return [rule.id, outcome.rawValue, steps, problem].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: "  ")
  }

  /// The result as JSON.
  package var json: JSONValue {
    .object([
      "id": .string(rule.id), "result": .string(outcome.rawValue),
      "sent": .array(sent.map(JSONValue.string)), "came": .array(came.map(JSONValue.string)),
      "problem": problem.map(JSONValue.string) ?? .null, "statement": .string(rule.statement),
      "evidence": .array(rule.evidence.map { .string($0.url) }),
    ])
  }
}
