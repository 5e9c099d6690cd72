import PushPayload

extension TemplateAdapter {
  /// Pushwoosh: the pictures of its sample of a carousel, in the app's own data.
  ///
  /// Source: PWNotificationContentExtension.
  static let pushwoosh = TemplateAdapter(
    .pushwoosh, if: "u",
    rules: [
      TemplateRule(.carousel, "images", if: "u<json>.images") { rule in
        rule.link = Dialect.pushwoosh.deepLink.map(\.path)
        rule.items = [TemplateRule.urls(separatedByCommasAt: "u<json>.images")]
        rule.makePagesSquare()
        rule.actions = TemplateRule.nextAndPrevious(of: "PWNotificationCarousel")
      }
    ]
  ) {
    $0.categories = ["PWNotificationCarousel"]
  }
}
