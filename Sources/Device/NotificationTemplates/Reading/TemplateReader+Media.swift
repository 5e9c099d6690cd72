import PushPayload

extension TemplateReader {
  /// The first medium that any of the fields has; the URL of the next becomes its alternative.
  mutating func media(_ fields: [MediaField], in scope: Scope) -> TemplateMedia? {
    var found: TemplateMedia?
    for field in fields {
      if found != nil, found?.alternative != nil { break }
      guard let url = url(field.url, in: scope) else { continue }
      if found != nil {
        found?.alternative = url
      } else {
        found = media(field, url: url, in: scope)
      }
    }
    return found
  }

  private mutating func media(
    _ field: MediaField, url: String, in scope: Scope
  ) -> TemplateMedia {
    var media = TemplateMedia(id: "", url: url)
    media.kind = field.kind ?? TemplateMedia.Kind(url: url)
    if let kind: TemplateMedia.Kind = word(field.kindWord, in: scope) { media.kind = kind }
    media.alt = plainText(field.alt, in: scope)
    media.alternative = self.url(field.alternative, in: scope)
    dress(&media, field.look ?? rule.look, in: field.look == nil ? self.scope : scope)
    media.id = mediaID(identifier(field.id, in: scope))
    return media
  }

  /// The identifier of the next medium: that of the payload, or its number; if it is taken, the number is appended.
  private mutating func mediaID(_ id: String?) -> String {
    mediaCount += 1
    var id = id ?? String(mediaCount)
    while !mediaIDs.insert(id).inserted { id += "-\(mediaCount)" }
    return id
  }

  /// A text that is never HTML.
  mutating func plainText(_ paths: [PayloadPath], in scope: Scope) -> String? {
    let wasHTML = isHTML
    isHTML = false
    defer { isHTML = wasHTML }
    return text(paths, in: scope)?.string
  }

  private mutating func dress(
    _ media: inout TemplateMedia, _ look: MediaLookRule, in scope: Scope
  ) {
    media.fit = word(look.fit, in: scope, among: look.fitWords) ?? look.defaultFit
    media.corner =
      number(look.corner, in: scope, range: TemplateLimits.length) ?? look.defaultCorner
    media.border = border(width: look.borderWidth, color: look.borderColor, in: scope)
  }

  mutating func border(
    width: [PayloadPath], color: ColorsRule, default: Double = 0, in scope: Scope
  ) -> TemplateBorder {
    var border = TemplateBorder(colors: colors(color, in: scope))
    border.width =
      number(width, in: scope, range: TemplateLimits.border)
      ?? (border.colors.isEmpty ? 0 : `default`)
    return border
  }

  /// The most items that the vendor shows and the kind has.
  private var maximumItems: Int {
    min(rule.maximumItems, rule.kind.itemCount?.upperBound ?? rule.maximumItems)
  }

  /// The pages, products or icons of the rule, at most as many as the vendor shows; those without a picture are left out.
  mutating func items() -> [TemplateItem] {
    if rule.dialect != nil {
      return (request?.media ?? []).prefix(maximumItems).compactMap { item(of: $0) }
    }
    var items: [TemplateItem] = []
    for itemRule in rule.items {
      for value in itemValues(itemRule) {
        guard items.count < maximumItems else {
          values.report(
            value, "exceeds the \(maximumItems) that are shown", code: .outOfRange)
          return items
        }
        if let item = item(itemRule, in: Scope(top: scope.top, item: value)) { items.append(item) }
      }
    }
    return items
  }

  private mutating func itemValues(_ itemRule: ItemRule) -> [PayloadValue] {
    let found = values.values(
      at: itemRule.list, in: scope, limit: itemRule.separator == nil ? maximumItems + 1 : 1)
    guard let separator = itemRule.separator, let list = found.first else { return found }
    if let array = list.json.array {
      return array.prefix(maximumItems + 1).enumerated().map { list.part($0.offset, $0.element) }
    }
    guard let text = list.json.string else {
      values.report(list, expected: "a string of URLs")
      return []
    }
    return text.split(separator: separator, maxSplits: maximumItems + 1)
      .map { String($0).trimmed }.filter { !$0.isEmpty }.prefix(maximumItems + 1)
      .enumerated().map { list.part($0.offset, .string($0.element)) }
  }

  private mutating func item(_ itemRule: ItemRule, in scope: Scope) -> TemplateItem? {
    for path in itemRule.required where text([path], in: scope) == nil { return nil }
    guard var item = itemRule.widgets.map({ widgets($0, in: scope) }) ?? pictured(itemRule, scope)
    else {
      // A numbered item may be absent.
      if !itemRule.list.isRoot, scope.item.json.object != nil {
        values.report(scope.item, "has no picture, so that it is left out", code: .outOfRange)
      }
      return nil
    }
    item.id = identifier(itemRule.id, in: scope)
    item.title = text(itemRule.title, in: scope) ?? item.title
    item.body = text(itemRule.body, in: scope, limit: TemplateLimits.body)
    item.price = text(itemRule.price, in: scope)
    item.link = url(itemRule.link, in: scope)
    return item
  }

  private mutating func pictured(_ itemRule: ItemRule, _ scope: Scope) -> TemplateItem? {
    media(itemRule.media, in: scope).map { TemplateItem(media: $0) }
  }

  /// An item of the first picture and the first text among widgets.
  private mutating func widgets(_ rule: WidgetsRule, in scope: Scope) -> TemplateItem? {
    var media: TemplateMedia?
    var title: TemplateText?
    for value in values.values(at: rule.list, in: scope, limit: 10) {
      let widget = Scope(top: scope.top, item: value)
      let type = plainText([rule.type], in: widget)
      if type == rule.picture, media == nil {
        media = self.media([MediaField(rule.content)], in: widget)
      } else if type == rule.text, title == nil {
        title = text([rule.content], in: widget)
      }
    }
    return media.map { TemplateItem(media: $0, title: title) }
  }

  /// A page of a medium that the vendor's dialect attaches.
  private mutating func item(of attached: RichMedia) -> TemplateItem? {
    guard let url = url(attached.wanted.url, at: attached.wanted.path) else { return nil }
    var media = TemplateMedia(id: "", url: url)
    media.kind = TemplateMedia.Kind(url: media.url)
    media.alternative = attached.alternatives.first.flatMap { self.url($0.url, at: $0.path) }
    dress(&media, rule.look, in: scope)
    media.id = mediaID(
      attached.identifier.isBlank
        ? nil : identifier(attached.identifier, at: attached.wanted.path))
    return TemplateItem(media: media)
  }
}

extension TemplateMedia.Kind {
  /// The kind of the file name extension in a URL; a picture if the extension is not known.
  init(url: String) {
    let type = MediaType(urlPath: url)
    self =
      switch type?.family {
      case .movie?: .video
      case .audio?: .audio
      default: type == .gif ? .gif : .image
      }
  }
}
