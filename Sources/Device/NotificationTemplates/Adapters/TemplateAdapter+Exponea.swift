import PushPayload

extension TemplateAdapter {
  /// Bloomreach Engagement, earlier Exponea: a picture, and buttons that the payload names.
  ///
  /// Source: ExponeaNotificationContentService.
  static let exponea = TemplateAdapter(
    .exponea, if: .all(.any(Dialect.exponea.signature), "actions[0]"),
    rules: [
      TemplateRule(.actions, "EXPONEA_ACTIONABLE", if: "actions[0]") { rule in
        rule.dialect = .exponea
        rule.link = Dialect.exponea.deepLink.map(\.path)
      }
    ]
  ) {
    $0.categories = ["EXPONEA_ACTIONABLE"]
    $0.messageID = Dialect.exponea.messageID
  }
}
