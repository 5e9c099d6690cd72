import PushPayload

extension TemplateAdapter {
  /// Related Digital, also Visilabs and Euromessage: square pages.
  ///
  /// Source: PushNotificationCarousel.
  static let relatedDigital = TemplateAdapter(
    .relatedDigital,
    if: .all(
      "elements",
      .any(.equals("aps.category", "carousel"), .any(Dialect.relatedDigital.signature))),
    rules: [
      TemplateRule(.carousel, "elements", if: "elements") { rule in
        rule.items = [
          ItemRule("elements[]", media: [MediaField("picture", kind: .image)]) {
            $0.title = ["title"]
            $0.body = ["content"]
            $0.link = ["url"]
          }
        ]
        rule.makePagesSquare()
        rule.actions = TemplateRule.nextAndPrevious(of: "carousel")
      }
    ]
  ) {
    $0.categories = ["carousel"]
    $0.messageID = Dialect.relatedDigital.messageID
  }
}
