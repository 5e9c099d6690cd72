import PushPayload

extension TemplateReader {
  /// The content of the rule's kind, or of a simpler kind if a required part is missing.
  mutating func content(texts: TemplateTexts, hasButtons: Bool) -> TemplateContent {
    switch rule.kind {
    case .text: return .text
    case .banner: return banner()
    case .carousel: return carousel(items())
    case .catalog: return catalog()
    case .icons: return icons()
    case .timer: return timer()
    case .rating: return rating()
    case .actions: return actions(hasButtons: hasButtons)
    case .media: return player()
    case .web: return webPage()
    case .input: return .input(question())
    case .poll: return poll()
    }
  }

  /// Reports that the template is shown as a simpler kind, and why.
  private mutating func degrade(to kind: TemplateKind, because reason: String) {
    values.report(
      path: scope.item.path,
      "is shown as \(kind.rawValue) in place of \(rule.kind.rawValue): \(reason)", code: .degraded)
  }

  private func tooFew(_ items: [TemplateItem], _ noun: String) -> String {
    "it has \(items.count) of at least \(rule.kind.itemCount?.lowerBound ?? 0) \(noun)"
  }

  /// A picture with texts, for templates that lack other required parts.
  private mutating func banner(of media: TemplateMedia?, because reason: String) -> TemplateContent
  {
    guard let media else {
      degrade(to: .text, because: reason)
      return .text
    }
    degrade(to: .banner, because: reason)
    return .banner(TemplateBanner(media: media))
  }

  /// The picture of the rule, or the first of its items.
  private mutating func picture() -> TemplateMedia? {
    if rule.dialect != nil { return items().first?.media }
    return media(rule.media, in: scope) ?? (rule.items.isEmpty ? nil : items().first?.media)
  }

  private mutating func banner() -> TemplateContent {
    guard let media = picture() else {
      degrade(to: .text, because: "it has no picture")
      return .text
    }
    let word: TemplateBanner.Placement? = word(rule.banner.placement, in: scope)
    var banner = TemplateBanner(media: media, placement: word ?? rule.banner.defaultPlacement)
    banner.details = details(rule.banner.details)
    banner.button = rule.banner.button.flatMap { button($0) }
    return .banner(banner)
  }

  mutating func details(_ rules: [DetailRule]) -> [TemplateDetail] {
    var details: [TemplateDetail] = []
    for rule in rules {
      guard let text = text(rule.text, in: scope) else { continue }
      details.append(TemplateDetail(text: text, colors: colors(rule.colors, in: scope)))
    }
    return details
  }

  mutating func button(_ rule: TemplateButtonRule) -> TemplateButton? {
    guard let title = text(rule.title, in: scope) else { return nil }
    return TemplateButton(
      title: title, link: url(rule.link, in: scope), box: box(rule.box))
  }

  mutating func box(_ rule: BoxRule) -> TemplateBox {
    var box = TemplateBox(
      text: colors(rule.text, in: scope), background: colors(rule.background, in: scope))
    let shape = plainText(rule.gradientStyle, in: scope)?.lowercased()
    if let shape, shape.hasSuffix("linear") || shape.hasSuffix("radial"),
      let from = color(rule.gradientFrom, form: .hex, in: scope),
      let to = color(rule.gradientTo, form: .hex, in: scope)
    {
      box.gradient = TemplateGradient(from: from, to: to, isRadial: shape.hasSuffix("radial"))
      box.gradient?.degrees =
        number(rule.gradientDegrees, in: scope, range: -360...360) ?? 90
    }
    box.border = border(
      width: rule.borderWidth, color: rule.borderColor, default: rule.defaultBorderWidth, in: scope)
    box.corner = number(rule.corner, in: scope, range: TemplateLimits.length) ?? 0
    return box
  }

  private mutating func carousel(_ pages: [TemplateItem]) -> TemplateContent {
    guard rule.kind.hasEnough(pages.count) else {
      return banner(
        of: pages.first?.media ?? media(rule.media, in: scope), because: tooFew(pages, "pages"))
    }
    let rule = rule.carousel
    var carousel = TemplateCarousel(pages: pages, advance: advance(rule.advance))
    carousel.wraps =
      flag(rule.wraps, in: scope)
      ?? (rule.wrapsIfAdvancing ? carousel.advance != nil : rule.defaultWraps)
    carousel.layout =
      word(rule.layout, in: scope, among: rule.layoutWords) ?? rule.defaultLayout
    if carousel.layout == .peek {
      carousel.peek = number(rule.peek, in: scope, range: 0.5...1) ?? rule.defaultPeek
    }
    carousel.aspect = aspect(rule.aspect, rule.aspectWords) ?? rule.defaultAspect
    carousel.spacing =
      number(rule.spacing, in: scope, range: TemplateLimits.length) ?? rule.defaultSpacing
    carousel.hasIndicator = flag(rule.indicator, in: scope) ?? rule.defaultIndicator
    carousel.pageBackground = colors(rule.pageBackground, in: scope)
    return .carousel(carousel)
  }

  private mutating func advance(_ rule: AdvanceRule) -> Double? {
    switch rule {
    case .manual: return nil
    case .every(let seconds): return seconds
    case .ifTrue(let path, let seconds): return flag([path], in: scope) == true ? seconds : nil
    case .unless(let path, let word, let seconds):
      return plainText([path], in: scope)?.lowercased() == word ? nil : seconds
    case .interval(let path, let perSecond, let `default`):
      guard let (number, value) = number([path], in: scope) else { return `default` }
      let seconds = number / perSecond
      if seconds == 0 { return nil }
      if TemplateLimits.advance.contains(seconds) { return seconds }
      values.report(
        value, "must be an interval from 0.5 to 60 seconds, or 0 for none", code: .outOfRange)
      return `default`
    }
  }

  /// The height divided by the width, as a number or as a word.
  private mutating func aspect(_ paths: [PayloadPath], _ words: [String: Double]) -> Double? {
    if words.isEmpty { return number(paths, in: scope, range: TemplateLimits.aspect) }
    return plainText(paths, in: scope).flatMap { words[$0.lowercased()] }
  }

  private mutating func catalog() -> TemplateContent {
    let items = items()
    guard rule.kind.hasEnough(items.count) else {
      return banner(
        of: media(rule.media, in: scope) ?? items.first?.media, because: tooFew(items, "products"))
    }
    let rule = rule.catalog
    var catalog = TemplateCatalog(items: items)
    catalog.layout =
      word(rule.layout, in: scope)
      ?? (flag(rule.isRow, in: scope) == true ? .row : .stacked)
    catalog.button = rule.button.flatMap { button($0) }
    return .catalog(catalog)
  }

  private mutating func icons() -> TemplateContent {
    let items = items()
    if rule.kind.hasEnough(items.count) { return .icons(items) }
    degrade(to: .text, because: tooFew(items, "icons"))
    return .text
  }

  private mutating func timer() -> TemplateContent {
    let running = media(rule.media, in: scope)
    let rule = rule.timer
    let duration = number(rule.duration, in: scope, range: 0...TemplateLimits.duration)
    guard
      let end = duration.map({ delivered + $0 })
        ?? date(rule.end, in: scope, prefix: rule.endPrefix)
    else { return banner(of: running, because: "it has no end") }
    var timer = TemplateTimer(end: end, media: running)
    timer.expiredTexts = texts(rule.expired, in: scope)
    timer.keepsBody = flag(rule.keepsBody, in: scope) ?? !rule.dropsBody
    timer.expiredMedia = media(rule.expiredMedia, in: scope)
    timer.box = box(rule.box)
    return .timer(timer)
  }

  private mutating func rating() -> TemplateContent {
    let picture = media(rule.media, in: scope)
    let rule = rule.rating
    var rating = TemplateRating(media: picture)
    let scale = number(
      rule.scale, in: scope,
      range: Double(TemplateLimits.scale.lowerBound)...Double(TemplateLimits.scale.upperBound))
    rating.scale = scale.map { Int($0) } ?? rule.defaultScale
    let links = rule.links.prefix(rating.scale).map { url([$0], in: scope) }
    if let first = links.compactMap(\.self).first { rating.links = links.map { $0 ?? first } }
    rating.commit = word(rule.commit, in: scope) ?? rule.defaultCommit
    rating.submitLink = url(rule.submitLink, in: scope)
    rating.submitTitle = text(rule.submitTitle, in: scope)
    rating.details = details(rule.details)
    rating.chosenIcon = media(rule.chosenIcon, in: scope)
    rating.icon = media(rule.icon, in: scope)
    // A star without a link has no effect; a rating that is submitted is given to the app.
    if rating.commit == .tap, rating.links.isEmpty {
      return banner(of: picture, because: "its stars have no links")
    }
    return .rating(rating)
  }

  private mutating func actions(hasButtons: Bool) -> TemplateContent {
    let picture = picture()
    return hasButtons ? .actions(picture) : banner(of: picture, because: "it has no buttons")
  }

  private mutating func player() -> TemplateContent {
    let media = media(rule.media, in: scope)
    let poster = self.media(rule.poster, in: scope)
    guard let media, media.kind == .video || media.kind == .audio else {
      return banner(of: media ?? poster, because: "it has no movie and no sound")
    }
    return .media(TemplatePlayer(media: media, poster: poster))
  }

  private mutating func webPage() -> TemplateContent {
    let poster = media(rule.media, in: scope)
    guard let url = url(rule.web.url, in: scope), url.lowercased().hasPrefix("https://") else {
      return banner(of: poster, because: "its page has no https URL")
    }
    let aspect = aspect(rule.web.aspect, rule.web.aspectWords) ?? rule.web.defaultAspect
    return .web(TemplateWebPage(url: url, aspect: aspect, poster: poster))
  }

  private mutating func question() -> TemplateQuestion {
    let rule = rule.question
    var question = TemplateQuestion(
      prompt: text(rule.prompt, in: scope), media: media(self.rule.media, in: scope))
    question.feedbackTexts = texts(rule.feedback, in: scope)
    question.feedbackMedia = media(rule.feedbackMedia, in: scope)
    guard let path = rule.choices, self.rule.kind == .poll else { return question }
    let found = values.items(at: path, in: scope, limit: TemplateLimits.choices.upperBound)
    for (index, value) in found.enumerated() {
      let item = Scope(top: scope.top, item: value)
      guard let title = text(rule.choiceTitle, in: item) else { continue }
      let id = identifier(rule.choiceID, in: item) ?? String(index + 1)
      question.choices.append(TemplateQuestion.Choice(id: id, title: title))
    }
    return question
  }

  private mutating func poll() -> TemplateContent {
    let question = question()
    let least = TemplateLimits.choices.lowerBound
    if question.choices.count >= least { return .poll(question) }
    return banner(
      of: question.media, because: "it has \(question.choices.count) of at least \(least) choices")
  }
}
