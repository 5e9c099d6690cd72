import PushPayload

extension TemplateAdapter {
  /// Martlet's own form, `_martlet.template`, which has a key for everything that a template has.
  static let martlet = TemplateAdapter(
    .martlet, if: .object("_martlet.template"),
    rules: TemplateKind.allCases.map { kind in
      TemplateRule(
        kind, kind.rawValue, if: .equals("_martlet.template.kind", kind.rawValue),
        configure: configure)
    } + [
      TemplateRule(.text, "kind", if: "_martlet.template") { rule in
        configure(&rule)
        rule.unknownName = "$._martlet.template.kind"
      }
    ]
  ) {
    $0.roots = ["_martlet.template"]
    $0.messageID = Dialect.martlet.messageID
  }

  private static func configure(_ rule: inout TemplateRule) {
    rule.version = "version"
    rule.id = ["id"]
    rule.tracking = "tracking"
    rule.texts = texts("texts")
    rule.link = ["link"]
    rule.style = StyleRule(
      background: colors("style.background"), title: colors("style.title"),
      body: colors("style.body"), accent: colors("style.accent"))
    rule.media = [media("media")]
    rule.poster = [media("poster")]
    rule.items = [
      ItemRule("pages[]", media: [media("media")]) {
        $0.id = ["id"]
        $0.title = ["title"]
        $0.body = ["body"]
        $0.price = ["price"]
        $0.link = ["link"]
      }
    ]
    rule.buttons = ButtonsRule(
      list: "actions[]", id: ["id"], title: ["title"], effect: ["effect"], link: ["link"])
    rule.banner.placement = ["placement"]
    rule.banner.details = details
    rule.banner.button = button
    rule.carousel = CarouselRule(
      advance: .interval("advance", perSecond: 1, default: nil), wraps: ["wraps"],
      layout: ["layout"], layoutWords: words(TemplateCarousel.Layout.self), peek: ["peek"],
      aspect: ["aspect"], spacing: ["spacing"], indicator: ["indicator"],
      pageBackground: colors("page_background"))
    rule.timer = TimerRule(
      duration: ["duration"], end: ["end"], expired: texts("expired.texts"),
      keepsBody: ["expired.keeps_body"], expiredMedia: [media("expired.media")], box: box("box"))
    rule.rating = RatingRule(
      scale: ["scale"],
      links: (0..<TemplateLimits.scale.upperBound).map { PayloadPath("links[\($0)]") },
      commit: ["commit"], submitLink: ["submit.link"], submitTitle: ["submit.title"],
      details: details, chosenIcon: [media("icons.on")], icon: [media("icons.off")])
    rule.catalog = CatalogRule(layout: ["layout"], button: button)
    rule.web = WebRule(url: ["url"], aspect: ["aspect"])
    rule.question = QuestionRule(
      prompt: ["prompt"], choices: "choices[]", choiceID: ["id"], choiceTitle: ["title"],
      feedback: texts("feedback.texts"), feedbackMedia: [media("feedback.media")])
  }

  private static func texts(_ path: String) -> TextsRule {
    TextsRule(
      title: [PayloadPath(path + ".title")], subtitle: [PayloadPath(path + ".subtitle")],
      body: [PayloadPath(path + ".body")],
      isHTMLIf: .equals("_martlet.template.format", "html"))
  }

  private static func colors(_ path: String) -> ColorsRule {
    ColorsRule(PayloadPath(path + ".light"), dark: [PayloadPath(path + ".dark")])
  }

  private static func media(_ path: String) -> MediaField {
    func key(_ name: String) -> [PayloadPath] { [PayloadPath(path + "." + name)] }
    var field = MediaField(PayloadPath(path + ".url"), alt: key("alt"))
    field.kindWord = key("kind")
    field.id = key("id")
    field.alternative = key("alternative_url")
    field.look = MediaLookRule(
      fit: key("fit"), corner: key("corner"), borderWidth: key("border.width"),
      borderColor: colors(path + ".border"))
    return field
  }

  private static func box(_ path: String) -> BoxRule {
    func key(_ name: String) -> [PayloadPath] { [PayloadPath(path + "." + name)] }
    return BoxRule(
      text: colors(path + ".text"), background: colors(path + ".background"),
      gradientFrom: key("gradient.from"), gradientTo: key("gradient.to"),
      gradientDegrees: key("gradient.degrees"), gradientStyle: key("gradient.shape"),
      borderColor: colors(path + ".border"), borderWidth: key("border.width"),
      corner: key("corner"))
  }

  private static let button = TemplateButtonRule(
    title: ["button.title"], link: ["button.link"], box: box("button"))

  private static let details = (0..<TemplateLimits.details).map { index in
    DetailRule(
      text: [PayloadPath("details[\(index)].text")], colors: colors("details[\(index)]"))
  }

  private static func words<Word: RawRepresentable & CaseIterable>(
    _ type: Word.Type
  ) -> [String: Word] where Word.RawValue == String {
    Dictionary(uniqueKeysWithValues: type.allCases.map { ($0.rawValue, $0) })
  }
}
