import PushPayload

extension TemplateAdapter {
  /// Adobe Campaign: three templates.
  ///
  /// Source: AEPNotificationContent 5.0.0. The other templates that Adobe documents are those of its Android library.
  static let adobe = TemplateAdapter(
    .adobe, if: "adb_template_type",
    rules: [
      template(.banner, "basic") { $0.media = [MediaField("adb_media")] },
      template(.carousel, "car") { rule in
        rule.items = [
          ItemRule("adb_items[]", media: [MediaField("img", kind: .image)]) {
            $0.body = ["txt"]
            $0.link = ["uri"]
          }
        ]
        rule.carousel.advance = .unless("adb_car_mode", is: "manual", every: 5)
        rule.carousel.wrapsIfAdvancing = true
        rule.carousel.layout = ["adb_car_layout"]
        rule.carousel.layoutWords = ["default": .full, "filmstrip": .filmstrip]
        rule.carousel.defaultAspect = 0.5
      },
      template(.timer, "timer") { rule in
        rule.media = [MediaField("adb_media")]
        rule.timer.duration = ["adb_tmr_dur"]
        rule.timer.end = ["adb_tmr_end"]
        rule.timer.expired = TextsRule(title: ["adb_title_alt"], body: ["adb_body_alt"])
        rule.timer.dropsBody = true
        rule.timer.expiredMedia = [MediaField("adb_media_alt")]
        rule.timer.box.text = ColorsRule("adb_clr_tmr", servesBoth: true)
      },
      template(.text, "adb_template_type") { rule in
        rule.condition = "adb_template_type"
        rule.unknownName = "adb_template_type"
      },
    ]
  ) {
    $0.categories = ["AEPNotification"]
  }

  private static func template(
    _ kind: TemplateKind, _ name: String, configure: (inout TemplateRule) -> Void
  ) -> TemplateRule {
    TemplateRule(kind, name, if: .equals("adb_template_type", name)) { rule in
      rule.texts = TextsRule(title: ["adb_title_ex"], body: ["adb_body_ex"])
      rule.showsAlertSubtitle = false
      rule.link = ["adb_uri"]
      rule.style.background = ColorsRule("adb_clr_bg", servesBoth: true)
      rule.style.title = ColorsRule("adb_clr_title", servesBoth: true)
      rule.style.body = ColorsRule("adb_clr_body", servesBoth: true)
      configure(&rule)
    }
  }
}
