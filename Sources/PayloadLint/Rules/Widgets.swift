import PushPayload

extension LintRules {
  /// Pushes that reload widgets and controls.
  static let widgets: [LintRule] = [
    LintRule(
      "M921", .error, "content-changed is not true",
      why: "The key reloads widgets and controls, and takes `true` alone.",
      bad: #"{"aps": {"content-changed": 1}}"#,
      good: #"{"aps": {"content-changed": true}}"#,
      fix: "write true"
    ) { subject in
      guard let value = subject.aps?["content-changed"], !value.isNull, value != true else {
        return []
      }
      return [LintFinding("$.aps.content-changed", "takes true")]
    },
    LintRule(
      "M922", .error, "content-changed with a push type that reloads nothing",
      why:
        "Only the push types `widgets` and `controls` reload; and they do nothing without the key.",
      bad: .init(#"{"aps": {"content-changed": true}}"#, .init(pushType: "background")),
      good: .init(#"{"aps": {"content-changed": true}}"#, .init(pushType: "widgets")),
      fix: "send it as widgets or controls"
    ) { subject in
      guard let type = subject.headers.pushType, let aps = subject.aps else { return [] }
      let reloads = ["widgets", "controls"].contains(type)
      if aps["content-changed"] != nil, !reloads {
        return [LintFinding("$.aps.content-changed", "needs the push type widgets or controls")]
      }
      return reloads && aps["content-changed"] == nil
        ? [LintFinding("$.aps", "has no content-changed, which the push type \(type) needs")] : []
    },
  ]
}
