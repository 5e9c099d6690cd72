import PushPayload

extension LintRules {
  /// Rules about the extension's changes to the notification that was sent.
  static let changes: [LintRule] = [
    LintRule(
      "M808", .warning, summary: "a text of the alert is replaced",
      why: """
        The vendor's extension shows another text than `aps.alert` has: that of a key of its own. People whose \
        extension does not run, or runs too late, see the text of the alert.
        """,
      bad:
        #"{"aps": {"alert": {"title": "Your order", "body": "It has left"}, "mutable-content": 1}, "notifee_options": {"title": "Order 17"}}"#,
      good:
        #"{"aps": {"alert": {"title": "Order 17", "body": "It has left"}, "mutable-content": 1}, "notifee_options": {"title": "Order 17"}}"#,
      fix: "send the same text in aps.alert, or remove the other key"
    ) { subject in
      let alert = subject.aps?["alert"]
      let request = subject.request
      let lines = [
        ("title", alert?["title"], request.title, request.titlePath),
        ("subtitle", alert?["subtitle"], request.subtitle, request.subtitlePath),
        ("body", alert?["body"] ?? alert, request.body, request.bodyPath),
      ]
      return lines.compactMap { name, original, text, path in
        guard subject.isMutable, let original = original?.string, !original.isEmpty, let text,
          text != original, let path
        else { return nil }
        return LintFinding(
          path.description, "replaces the \(name) of the alert, as \(request.dialect) does")
      }
    },
    LintRule(
      "M809", .warning, summary: "the buttons cannot be shown",
      why: """
        A notification has the actions of one category. Most vendors' extensions keep the category of \
        `aps.category`, which the app has registered, and drop the buttons of the payload; some show buttons only \
        with one.
        """,
      bad:
        #"{"aps": {"alert": "Look", "category": "news", "mutable-content": 1}, "os_data": {"i": "1", "buttons": [{"i": "a", "n": "Open"}]}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "os_data": {"i": "1", "buttons": [{"i": "a", "n": "Open"}]}}"#,
      fix: "leave aps.category out, or send it, as the finding says"
    ) { subject in
      let request = subject.request
      let category = subject.aps?["category"]?.string ?? ""
      guard subject.isMutable, !request.buttons.isEmpty,
        !request.buttonsBesideCategory.showsButtons(besideCategory: category)
      else { return [] }
      return [
        category.isEmpty
          ? LintFinding(
            "$.aps", "needs a category, without which \(request.dialect) shows no buttons")
          : LintFinding(
            "$.aps.category", "is kept, so that the buttons of \(request.dialect) are not shown")
      ]
    },
  ]
}
