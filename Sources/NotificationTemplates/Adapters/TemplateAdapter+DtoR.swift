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
        square(&rule)
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

  /// MoEngage: a picture, or cards of widgets.
  ///
  /// Source: a payload in the tests of MoEngage's plug-in base. MoEngage publishes neither the name of its carousel on iOS
  /// nor the interval of one that starts by itself.
  static let moEngage = {
    let cards: PayloadPath = "expanded.cards[]"
    let widgets = WidgetsRule(
      list: "widgets[]", type: "type", content: "content", picture: "image", text: "text")
    let template = { (kind: TemplateKind, condition: Signature) in
      TemplateRule(kind, "richPush", if: condition) { rule in
        rule.texts = TextsRule(
          title: ["title"], subtitle: ["subtitle"], body: ["body"], isHTML: true)
        rule.link = ["defaultActions[0].value"]
        rule.style.background = ColorsRule("expanded.bgColor", servesBoth: true)
        rule.items = [
          ItemRule(cards, media: []) {
            $0.id = ["id"]
            $0.widgets = widgets
            $0.link = ["actions[0].value"]
          }
        ]
        rule.media = [MediaField("$.moengage.media-attachment")]
        rule.carousel.advance = .ifTrue("expanded.autoStart", every: 3)
      }
    }
    return TemplateAdapter(
      .moEngage, if: "moeFeatures.richPush",
      rules: [
        template(.carousel, "moeFeatures.richPush.expanded.cards[1]"),
        template(.banner, .object("moeFeatures.richPush")),
      ]
    ) {
      $0.categories = ["MOE_PUSH_TEMPLATE"]
      $0.roots = ["moeFeatures.richPush"]
      $0.messageID = Dialect.moEngage.messageID
    }
  }()

  /// OneSignal: the pictures of its guide to carousels, in the app's own data.
  ///
  /// Source: OSNotificationContentExtension.
  static let oneSignal = TemplateAdapter(
    .oneSignal, if: "custom.a.images",
    rules: [
      TemplateRule(.carousel, "images", if: "custom.a.images") { rule in
        rule.link = Dialect.oneSignal.deepLink.map(\.path)
        rule.items = [list("custom.a.images")]
        square(&rule)
        rule.actions = moving("OSNotificationCarousel")
      }
    ]
  ) {
    $0.categories = ["OSNotificationCarousel"]
    $0.messageID = Dialect.oneSignal.messageID
  }

  /// Pushwoosh: the pictures of its sample of a carousel, in the app's own data.
  ///
  /// Source: PWNotificationContentExtension.
  static let pushwoosh = TemplateAdapter(
    .pushwoosh, if: "u",
    rules: [
      TemplateRule(.carousel, "images", if: "u<json>.images") { rule in
        rule.link = Dialect.pushwoosh.deepLink.map(\.path)
        rule.items = [list("u<json>.images")]
        square(&rule)
        rule.actions = moving("PWNotificationCarousel")
      }
    ]
  ) {
    $0.categories = ["PWNotificationCarousel"]
  }

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
        square(&rule)
        rule.actions = moving("carousel")
      }
    ]
  ) {
    $0.categories = ["carousel"]
    $0.messageID = Dialect.relatedDigital.messageID
  }

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

  /// A list of URLs in one string, with commas between them.
  private static func list(_ path: PayloadPath) -> ItemRule {
    ItemRule(path, media: [MediaField("", kind: .image)]) { $0.separator = "," }
  }

  private static func square(_ rule: inout TemplateRule) {
    rule.carousel.defaultAspect = 1
    rule.carousel.defaultSpacing = 10
    rule.carousel.defaultIndicator = false
    rule.look.defaultCorner = 8
  }

  private static func moving(_ prefix: String) -> [TemplateAction] {
    [
      TemplateAction(id: prefix + ".next", effect: .next),
      TemplateAction(id: prefix + ".previous", effect: .previous),
    ]
  }
}
