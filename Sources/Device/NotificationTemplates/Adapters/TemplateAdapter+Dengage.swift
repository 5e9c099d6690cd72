import PushPayload

extension TemplateAdapter {
  /// Dengage: square pages with a title each.
  ///
  /// Source: DengageNotificationCarouselView.
  static let dengage = TemplateAdapter(
    .dengage, if: "carouselContent",
    rules: [
      TemplateRule(.carousel, "carouselContent", if: "carouselContent") { rule in
        rule.link = ["targetUrl"]
        rule.items = [
          ItemRule("carouselContent[]", media: [MediaField("mediaUrl", kind: .image)]) {
            $0.id = ["id"]
            $0.title = ["title"]
            $0.body = ["desc"]
            $0.link = ["targetUrl"]
            $0.required = ["title"]
          }
        ]
        rule.makePagesSquare()
        rule.actions = [
          TemplateAction(id: "NEXT_ACTION", effect: .next),
          TemplateAction(id: "PREVIOUS_ACTION", effect: .previous),
        ]
      }
    ]
  ) {
    $0.categories = ["DENGAGE_CAROUSEL_CATEGORY"]
    $0.messageID = Dialect.dengage.messageID
  }
}
