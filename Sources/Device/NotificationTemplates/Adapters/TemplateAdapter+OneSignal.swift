import PushPayload

extension TemplateAdapter {
  /// OneSignal: the pictures of its guide to carousels, in the app's own data.
  ///
  /// Source: OSNotificationContentExtension.
  static let oneSignal = TemplateAdapter(
    .oneSignal, if: "custom.a.images",
    rules: [
      TemplateRule(.carousel, "images", if: "custom.a.images") { rule in
        rule.link = Dialect.oneSignal.deepLink.map(\.path)
        rule.items = [TemplateRule.urls(separatedByCommasAt: "custom.a.images")]
        rule.makePagesSquare()
        rule.actions = TemplateRule.nextAndPrevious(of: "OSNotificationCarousel")
      }
    ]
  ) {
    $0.categories = ["OSNotificationCarousel"]
    $0.messageID = Dialect.oneSignal.messageID
  }
}
