import PushPayload

extension TemplateAdapter {
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
}
