extension NotificationTemplate {
  /// The template without the media that are not ready.
  ///
  /// Pages without their picture are left out. If too few pages remain for the kind, a simpler kind takes its place, such as a
  /// banner for a carousel, or text for a banner.
  ///
  /// - Parameter isReady: Whether a medium can be shown.
  /// - Returns: The template as it can be shown.
  package func keeping(where isReady: (TemplateMedia) -> Bool) -> NotificationTemplate {
    var template = self
    template.content = content.keeping(where: isReady)
    template.removeActionsOfPages(unlike: kind)
    return template
  }

  /// Removes the buttons for pages if the template has become a kind without pages.
  mutating func removeActionsOfPages(unlike kind: TemplateKind) {
    guard self.kind != kind, pages.isEmpty else { return }
    actions.removeAll { $0.effect == .next || $0.effect == .previous }
  }
}

extension TemplateContent {
  fileprivate func keeping(where isReady: (TemplateMedia) -> Bool) -> TemplateContent {
    func kept(_ media: TemplateMedia?) -> TemplateMedia? {
      media.flatMap { isReady($0) ? $0 : nil }
    }
    func kept(_ items: [TemplateItem]) -> [TemplateItem] { items.filter { isReady($0.media) } }
    switch self {
    case .text: return self
    case .banner(let banner):
      return isReady(banner.media) ? self : .text
    case .carousel(var carousel):
      carousel.pages = kept(carousel.pages)
      return TemplateKind.carousel.hasEnough(carousel.pages.count)
        ? .carousel(carousel) : .banner(of: carousel.pages.first)
    case .catalog(var catalog):
      catalog.items = kept(catalog.items)
      return TemplateKind.catalog.hasEnough(catalog.items.count)
        ? .catalog(catalog) : .banner(of: catalog.items.first)
    case .icons(let items):
      let items = kept(items)
      return TemplateKind.icons.hasEnough(items.count) ? .icons(items) : .text
    case .timer(var timer):
      timer.media = kept(timer.media)
      timer.expiredMedia = kept(timer.expiredMedia)
      return .timer(timer)
    case .rating(var rating):
      rating.media = kept(rating.media)
      rating.chosenIcon = kept(rating.chosenIcon)
      rating.icon = kept(rating.icon)
      return .rating(rating)
    case .actions(let media): return .actions(kept(media))
    case .media(var player):
      player.poster = kept(player.poster)
      if isReady(player.media) { return .media(player) }
      return player.poster.map { .banner(TemplateBanner(media: $0)) } ?? .text
    case .web(var page):
      page.poster = kept(page.poster)
      return .web(page)
    case .input(var question):
      question.media = kept(question.media)
      question.feedbackMedia = kept(question.feedbackMedia)
      return .input(question)
    case .poll(var question):
      question.media = kept(question.media)
      question.feedbackMedia = kept(question.feedbackMedia)
      return .poll(question)
    }
  }

  private static func banner(of item: TemplateItem?) -> TemplateContent {
    item.map { .banner(TemplateBanner(media: $0.media)) } ?? .text
  }
}
