extension TemplateAdapter {
  /// The category of Martlet's own templates, unless an app has chosen another one.
  package static let ownCategory = "expanded"

  /// A typical template for each rule of the vendor, with texts of a usual length and pictures of unknown size.
  ///
  /// Their layout predicts the height of the vendor's notifications.
  package var typicalTemplates: [NotificationTemplate] {
    rules.filter { $0.unknownName == nil }.map { rule in
      let texts = TemplateTexts(title: Typical.title, body: Typical.body)
      return NotificationTemplate(
        source: id, texts: texts, content: rule.typicalContent, fallback: texts)
    }
  }
}

private enum Typical {
  static let title: TemplateText = "The new coats of the autumn"
  static let body: TemplateText =
    "Warm, light and made to last. Until Sunday they come with a scarf."
  static let label: TemplateText = "A warm coat"

  static func media(_ number: Int = 1, kind: TemplateMedia.Kind = .image) -> TemplateMedia {
    TemplateMedia(id: "\(number)", url: "https://media.example/\(number)", kind: kind)
  }
}

extension TemplateRule {
  /// The content of a template with the rule's kind and defaults.
  fileprivate var typicalContent: TemplateContent {
    switch kind {
    case .text: return .text
    case .banner:
      return .banner(
        TemplateBanner(media: Typical.media(), placement: banner.defaultPlacement))
    case .carousel: return .carousel(typicalCarousel)
    case .timer: return .timer(TemplateTimer(end: 3600, media: Typical.media()))
    case .rating:
      var content = TemplateRating(media: media.isEmpty ? nil : Typical.media())
      content.scale = rating.defaultScale
      content.commit = rating.defaultCommit
      return .rating(content)
    case .catalog:
      return .catalog(
        TemplateCatalog(
          items: items(3, withBody: true), button: TemplateButton(title: Typical.label)))
    case .icons: return .icons(items(4))
    case .actions: return .actions(Typical.media())
    case .media: return .media(TemplatePlayer(media: Typical.media(kind: .video)))
    case .web:
      return .web(
        TemplateWebPage(
          url: "https://media.example", aspect: web.defaultAspect, poster: Typical.media()))
    case .input: return .input(TemplateQuestion(prompt: Typical.label))
    case .poll:
      let choices = (1...3).map {
        TemplateQuestion.Choice(id: "\($0)", title: Typical.label)
      }
      return .poll(TemplateQuestion(prompt: Typical.label, choices: choices))
    }
  }

  private var typicalCarousel: TemplateCarousel {
    var content = TemplateCarousel(pages: items(3))
    content.layout = carousel.defaultLayout
    content.peek = carousel.defaultPeek
    content.aspect = carousel.defaultAspect
    content.spacing = carousel.defaultSpacing
    content.hasIndicator = carousel.defaultIndicator
    return content
  }

  /// Pages, with a title if the vendor's pages have one.
  private func items(_ count: Int, withBody hasBody: Bool = false) -> [TemplateItem] {
    let hasTitle = hasBody || items.contains { !$0.title.isEmpty }
    return (1...count).map { number in
      TemplateItem(
        media: Typical.media(number), title: hasTitle ? Typical.label : nil,
        body: hasBody ? Typical.label : nil)
    }
  }
}
