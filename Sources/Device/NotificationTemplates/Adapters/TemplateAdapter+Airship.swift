import PushPayload

extension TemplateAdapter {
  /// Airship: the attachments are pages, and the neighbors of a page are visible.
  ///
  /// The app chooses the category, so a carousel is recognized by its own keys or by several attachments.
  /// Source: UACarouselViewController.
  static let airship = {
    let isAccengage = Signature.present("a4sid")
    let list = #"com\.urbanairship\.media_attachment"#
    let severalFiles = Signature.any(
      .present(PayloadPath(list + ".urls[1]")), .present(PayloadPath(list + ".url[1]")),
      .present(PayloadPath(list + ".acc-atts[1]")))
    let carousel = { (condition: Signature, timer: PayloadPath) in
      TemplateRule(.carousel, "carousel", if: condition) { rule in
        rule.dialect = .airship
        rule.link = Dialect.airship.deepLink.map(\.path)
        rule.carousel.advance = .interval(timer, perSecond: 1, default: 3)
        rule.carousel.defaultLayout = .peek
        rule.carousel.peek = ["ua-ratio"]
        rule.carousel.spacing = ["ua-spacing"]
        rule.carousel.defaultSpacing = 10
        rule.carousel.defaultIndicator = false
        rule.carousel.pageBackground = ColorsRule(
          "ua-contentBgColor", form: .number, servesBoth: true)
        rule.style.background = ColorsRule("ua-pushBgColor", form: .number, servesBoth: true)
        rule.look.fit = ["ua-contentMode"]
        rule.look.defaultFit = .fit
        rule.look.corner = ["ua-cornerRadius"]
        rule.look.defaultCorner = 5
      }
    }
    return TemplateAdapter(
      .airship,
      if: .all(
        .any(Dialect.airship.signature), .any(.keyPrefix("ua-"), "acc-timer", severalFiles)),
      rules: [carousel(isAccengage, "acc-timer"), carousel(.not(isAccengage), "ua-timer")]
    ) {
      $0.messageID = Dialect.airship.messageID
    }
  }()
}
