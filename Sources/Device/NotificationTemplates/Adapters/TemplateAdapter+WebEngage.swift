import PushPayload

extension TemplateAdapter {
  /// WebEngage: five templates, all in `expandableDetails`.
  ///
  /// Source: WEContentExtension 1.1.2.
  static let webEngage = TemplateAdapter(
    .webEngage, if: .all(.any(Dialect.webEngage.signature), "expandableDetails.style"),
    rules: [
      template(.carousel, "CAROUSEL_V1") { rule in
        rule.items = [
          ItemRule("items[]", media: [MediaField("image", kind: .image)]) {
            $0.id = ["id"]
            $0.title = ["actionText"]
            $0.link = ["actionLink"]
          }
        ]
        rule.carousel.advance = .interval("ast", perSecond: 1000, default: nil)
        rule.carousel.layout = ["mode"]
        rule.carousel.layoutWords = ["portrait": .peek, "landscape": .full]
        rule.carousel.defaultPeek = 0.7
        rule.carousel.aspect = ["mode"]
        rule.carousel.aspectWords = ["portrait": 1]
        rule.carousel.defaultAspect = 0.5
        rule.actions = [
          TemplateAction(id: "WEG_NEXT", effect: .next),
          TemplateAction(id: "WEG_PREV", effect: .previous),
          TemplateAction(id: "WEG_LAUNCH_APP", effect: .forward),
        ]
      },
      template(.rating, "RATING_V1") { rule in
        rule.media = [MediaField("image")]
        rule.rating.scale = ["ratingScale"]
        rule.rating.defaultCommit = .submit
        rule.rating.submitLink = ["submitCTA.actionLink"]
        let colors = ColorsRule("content.textColor", form: .lastSixDigits, servesBoth: true)
        rule.rating.details = [
          DetailRule(text: ["content.title"], colors: colors),
          DetailRule(text: ["content.message"], colors: colors),
        ]
        rule.actions = [
          TemplateAction(id: "WEG_CHOOSE_RATING", effect: .choose),
          TemplateAction(id: "WEG_SUBMIT_RATING", effect: .submit),
        ]
      },
      template(.banner, "BIG_PICTURE") { $0.media = [MediaField("image")] },
      template(.banner, "OVERLAY") { rule in
        rule.media = [MediaField("image")]
        rule.banner.defaultPlacement = .over
      },
      template(.text, "BIG_TEXT") { _ in },
      template(.text, "style") { rule in
        rule.condition = "expandableDetails.style"
        rule.unknownName = "style"
      },
    ]
  ) {
    $0.categories = ["WEG_CAROUSEL_V1", "WEG_RATING_V1"] + (1...8).map { "WEG_RICH_V\($0)" }
    $0.roots = ["expandableDetails"]
    $0.messageID = Dialect.webEngage.messageID
  }

  private static func template(
    _ kind: TemplateKind, _ name: String, configure: (inout TemplateRule) -> Void
  ) -> TemplateRule {
    TemplateRule(kind, name, if: .equals("expandableDetails.style", name)) { rule in
      rule.texts = TextsRule(title: ["rt"], subtitle: ["rst"], body: ["rm"], isHTML: true)
      rule.style.background = ColorsRule("bckColor", form: .lastSixDigits, servesBoth: true)
      configure(&rule)
    }
  }
}
