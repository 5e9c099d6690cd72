import PushPayload

extension TemplateAdapter {
  /// Reteno, earlier eSputnik: the attachments as pages, or one moving picture.
  ///
  /// Source: RetenoCarouselNotificationViewController, RetenoNotificationServiceExtension.
  static let reteno = {
    let isOne = Signature.any(
      .equals("aps.category", "ImageCarousel"), .equals("aps.category", "ImageGif"),
      .hasSuffix("es_notification_image", ".gif"))
    return TemplateAdapter(
      .reteno, if: "es_interaction_id",
      rules: [
        TemplateRule(
          .carousel, "ImageCarousel",
          if: "es_notification_images<json>[0]"
        ) { rule in
          rule.dialect = .reteno
          rule.link = Dialect.reteno.deepLink.map(\.path)
          rule.carousel.advance = .every(3)
          rule.carousel.defaultIndicator = false
        },
        TemplateRule(
          .banner, "ImageGif", if: .all("es_notification_image", isOne)
        ) { rule in
          rule.link = Dialect.reteno.deepLink.map(\.path)
          rule.media = [MediaField("es_notification_image")]
          rule.look.defaultFit = .fit
        },
      ]
    ) {
      $0.categories = ["ImageCarousel", "ImageGif"]
      $0.messageID = Dialect.reteno.messageID
    }
  }()
}
