import PushPayload

extension TemplateAdapter {
  /// CleverTap: thirteen templates, whose keys are at the top or in the JSON text of `pt_json`.
  ///
  /// Source: CTNotificationContent 1.3.0, and the table of keys of its version 1.6.0.
  static let cleverTap = TemplateAdapter(
    .cleverTap, if: .any("pt_id", "ct_ContentSlider", "ct_mediaType"),
    rules: [
      TemplateRule(.carousel, "ct_ContentSlider", if: "ct_ContentSlider") { rule in
        rule.roots = ["ct_ContentSlider<json>"]
        rule.showsAlertSubtitle = false
        rule.link = ["$.wzrk_dl"]
        rule.items = [
          ItemRule(
            "items[]",
            media: [MediaField("imageUrl", alt: ["imgAltText"], kind: .image)]
          ) {
            $0.title = ["caption"]
            $0.body = ["subcaption"]
            $0.link = ["actionUrl"]
          }
        ]
        rule.carousel.advance = .ifTrue("autoPlay", every: 3)
        rule.carousel.aspect = ["orientation"]
        rule.carousel.aspectWords = ["landscape": landscape]
        rule.carousel.defaultAspect = 1
        rule.carousel.indicator = ["showsPaging"]
        rule.actions = moving + open
      },
      template(.banner, "pt_basic") { $0.media = pictures },
      template(.carousel, "pt_carousel") { rule in
        carousel(&rule)
        rule.carousel.advance = .every(3)
      },
      template(.carousel, "pt_manual_carousel") { rule in
        carousel(&rule)
        rule.actions = moving + open
      },
      template(.timer, "pt_timer") { rule in
        rule.media = pictures
        rule.timer.duration = ["pt_timer_threshold"]
        rule.timer.end = ["pt_timer_end"]
        rule.timer.endPrefix = "$D_"
        rule.timer.expired = TextsRule(title: ["pt_title_alt"], body: ["pt_msg_alt"], isHTML: true)
        rule.timer.expiredMedia = [
          MediaField("pt_gif_alt", alt: ["pt_big_img_alt_alt_text"], kind: .gif),
          MediaField("pt_big_img_alt", alt: ["pt_big_img_alt_alt_text"]),
        ]
        rule.timer.box = BoxRule(
          text: colors("pt_chrono_title_clr"), background: colors("pt_chrono_bg_clr"),
          gradientFrom: ["pt_chrono_grad_clr1"], gradientTo: ["pt_chrono_grad_clr2"],
          gradientDegrees: ["pt_chrono_grad_dir"], gradientStyle: ["pt_chrono_style"],
          borderColor: colors("pt_chrono_border_clr"), borderWidth: ["pt_chrono_border_width"],
          corner: ["pt_chrono_border_radius"])
      },
      template(.banner, "pt_zero_bezel") { rule in
        rule.texts.subtitle = ["pt_subtitle"]
        rule.media = pictures
        rule.banner.defaultPlacement = .over
      },
      template(.rating, "pt_rating") { rule in
        rule.texts.subtitle = ["pt_subtitle"]
        rule.media = pictures
        rule.link = ["pt_default_dl", "$.wzrk_dl"]
        rule.rating.links = ["pt_dl1", "pt_dl2", "pt_dl3", "pt_dl4", "pt_dl5"]
      },
      template(.catalog, "pt_product_display") { rule in
        rule.texts.subtitle = ["pt_subtitle"]
        rule.maximumItems = 3
        rule.items = (1...3).map { number in
          item(number) {
            $0.title = ["pt_bt\(number)"].map { PayloadPath($0) }
            $0.body = ["pt_st\(number)"].map { PayloadPath($0) }
            $0.price = ["pt_price\(number)"].map { PayloadPath($0) }
            if number == 3 { $0.required = ["pt_bt3", "pt_st3", "pt_dl3"] }
          }
        }
        rule.catalog.isRow = ["pt_product_display_linear"]
        rule.catalog.button = TemplateButtonRule(
          title: ["pt_product_display_action"],
          box: BoxRule(
            text: colors("pt_product_display_action_text_clr"),
            background: colors("pt_product_display_action_clr")))
      },
      template(.web, "pt_web_view") { rule in
        rule.web.url = ["pt_url"]
        rule.web.aspect = ["pt_orientation"]
        rule.web.aspectWords = ["landscape": landscape]
        rule.web.defaultAspect = 1.777
        rule.media = pictures
      },
      template(.banner, "pt_vertical_img") { rule in
        rule.media = pictures
        rule.look.fit = ["pt_scale_type"]
        rule.look.fitWords = ["fit_center": .fit, "center_crop": .fill]
        rule.link = ["pt_default_dl", "$.wzrk_dl"]
        rule.banner.defaultPlacement = .beside
        rule.banner.details = [
          DetailRule(text: ["pt_text1"], colors: colors("pt_text1_clr")),
          DetailRule(text: ["pt_text2"], colors: colors("pt_text2_clr")),
        ]
        rule.banner.button = TemplateButtonRule(
          title: ["pt_btn_name"], link: ["pt_btn_dl"],
          box: BoxRule(
            text: ColorsRule("pt_btn_text_clr", servesBoth: true),
            background: ColorsRule("pt_btn_clr", servesBoth: true),
            gradientFrom: ["pt_btn_grad_clr1"], gradientTo: ["pt_btn_grad_clr2"],
            gradientDegrees: ["pt_btn_grad_dir"], gradientStyle: ["pt_btn_style"],
            borderColor: ColorsRule("pt_btn_border_clr", servesBoth: true),
            borderWidth: ["pt_btn_border_width"], corner: ["pt_btn_border_radius"]))
      },
      template(.icons, "pt_icons") { rule in
        rule.link = ["$.wzrk_dl"]
        rule.maximumItems = 5
        rule.items = (1...5).map { item($0) }
      },
      // A name that CleverTap's extension does not know is the basic template, there as here.
      template(.banner, "pt_id") { rule in
        rule.condition = "pt_id"
        rule.unknownName = "$.pt_id"
        rule.media = pictures
      },
      single(.media, "video", kind: .video),
      single(.media, "audio", kind: .audio),
      single(.banner, "image", kind: .image),
    ]
  ) {
    $0.categories = ["CTNotification"]
    $0.roots = ["pt_json<json>", ""]
    $0.messageID = Dialect.cleverTap.messageID
  }

  /// The height of a wide picture divided by its width.
  private static let landscape = 0.5625
  private static let moving = [
    TemplateAction(id: "action_1", effect: .previous),
    TemplateAction(id: "action_2", effect: .next),
  ]
  private static let open = [TemplateAction(id: "action_3", effect: .open)]
  private static let pictures = [
    MediaField("pt_gif", alt: ["pt_big_img_alt_text"], kind: .gif),
    MediaField("pt_big_img", alt: ["pt_big_img_alt_text"]),
  ]

  private static func colors(_ key: String) -> ColorsRule {
    ColorsRule(PayloadPath(key), dark: [PayloadPath(key + "_dark")])
  }

  /// A template with the keys that all of CleverTap's templates share.
  private static func template(
    _ kind: TemplateKind, _ name: String, configure: (inout TemplateRule) -> Void
  ) -> TemplateRule {
    TemplateRule(kind, name, if: .equals("pt_id", name)) { rule in
      rule.texts = TextsRule(
        title: ["pt_title"], body: ["pt_msg_summary", "pt_msg"], isHTML: true)
      rule.showsAlertSubtitle = false
      rule.link = ["pt_dl1", "$.wzrk_dl"]
      rule.style.background = colors("pt_bg")
      rule.style.title = colors("pt_title_clr")
      rule.style.body = colors("pt_msg_clr")
      rule.look.corner = ["pt_img_corner_radius"]
      rule.look.borderWidth = ["pt_img_border_width"]
      rule.look.borderColor = colors("pt_img_border_clr")
      rule.actions = open
      configure(&rule)
    }
  }

  private static func carousel(_ rule: inout TemplateRule) {
    rule.items = (1...3).map { item($0) }
    rule.maximumItems = 3
    rule.carousel.defaultAspect = landscape
  }

  /// The rule for the numbered keys of one page or product.
  private static func item(
    _ number: Int, configure: (inout ItemRule) -> Void = { _ in }
  ) -> ItemRule {
    let picture = MediaField(
      PayloadPath("pt_img\(number)"), alt: [PayloadPath("pt_img\(number)_alt_text")], kind: .image)
    return ItemRule("", media: [picture]) {
      $0.link = [PayloadPath("pt_dl\(number)")]
      configure(&$0)
    }
  }

  private static func single(
    _ kind: TemplateKind, _ word: String, kind mediaKind: TemplateMedia.Kind
  ) -> TemplateRule {
    TemplateRule(
      kind, "ct_mediaType", if: .all("ct_mediaUrl", .equals("ct_mediaType", word))
    ) { rule in
      rule.showsAlertSubtitle = false
      rule.link = ["$.wzrk_dl"]
      rule.media = [MediaField("$.ct_mediaUrl", alt: ["$.alt_text_wzrk_bp"], kind: mediaKind)]
      rule.actions = open
    }
  }
}
