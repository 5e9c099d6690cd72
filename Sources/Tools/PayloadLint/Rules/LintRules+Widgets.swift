import PushPayload

extension LintRules {
  /// Rules about pushes that reload widgets and controls.
  static let widgets: [LintRule] = [
    LintRule(
      "M921", .error, summary: "content-changed is not true",
      why: "The key reloads widgets and controls, and must be `true`.",
      bad: #"{"aps": {"content-changed": 1}}"#,
      good: #"{"aps": {"content-changed": true}}"#,
      fix: "write true"
    ) { subject in
      guard let value = subject.aps?["content-changed"], !value.isNull, value != true else {
        return []
      }
      return [LintFinding("$.aps.content-changed", "must be true")]
    },
    LintRule(
      "M922", .error, summary: "content-changed does not match the push type",
      why:
        "Only push types `widgets` and `controls` reload anything, and they need the key.",
      bad: .init(#"{"aps": {"content-changed": true}}"#, .init(pushType: "background")),
      good: .init(#"{"aps": {"content-changed": true}}"#, .init(pushType: "widgets")),
      fix: "send it with push type widgets or controls"
    ) { subject in
      guard let type = subject.headers.pushType, let aps = subject.aps else { return [] }
      let reloads = ["widgets", "controls"].contains(type)
      if aps["content-changed"] != nil, !reloads {
        return [LintFinding("$.aps.content-changed", "needs push type widgets or controls")]
      }
      return reloads && aps["content-changed"] == nil
        ? [LintFinding("$.aps", "needs content-changed for push type \(type)")] : []
    },
  ]
}
