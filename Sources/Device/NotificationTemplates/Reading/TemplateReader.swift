import PushPayload

/// The reading of one template by one rule.
struct TemplateReader {
  var values = PayloadReader()
  let payload: JSONValue
  let adapter: TemplateAdapter
  let rule: TemplateRule
  let alert: TemplateTexts
  let category: String
  let delivered: Double
  /// The object with the template's keys, and the top of the payload.
  var scope: Scope
  var isHTML = false
  /// The request that the vendor's dialect reads, if the rule takes media or buttons from it.
  var request: PayloadRequest?
  /// The number of media that were read; it numbers media without an identifier.
  var mediaCount = 0
  /// The identifiers of the media that were read.
  var mediaIDs: Set<String> = []

  init(
    payload: JSONValue, adapter: TemplateAdapter, rule: TemplateRule, alert: TemplateTexts,
    category: String, delivered: Double
  ) {
    self.payload = payload
    self.adapter = adapter
    self.rule = rule
    self.alert = alert
    self.category = category
    self.delivered = delivered
    scope = Scope(top: PayloadValue(json: payload))
  }

  mutating func template() -> NotificationTemplate? {
    let top = Scope(top: PayloadValue(json: payload))
    for root in rule.roots ?? adapter.roots {
      guard let found = values.values(at: root, in: top, limit: 1).first else { continue }
      if found.json.object != nil {
        scope = Scope(top: top.top, item: found)
        break
      }
      values.report(found, expected: "an object")
    }
    guard isSupportedVersion() else { return nil }
    checkCategory()
    if let path = rule.unknownName { reportUnknown(path) }
    isHTML = rule.texts.isHTML || rule.texts.isHTMLIf?.matches(payload) == true
    request = rule.dialect?.read(payload)

    var template = NotificationTemplate(
      source: adapter.id, texts: texts(rule.texts, in: scope), content: .text, fallback: alert)
    template.id = identifier(rule.id, in: scope) ?? identifier(adapter.messageID, in: top)
    template.texts.title = template.texts.title ?? alert.title
    template.texts.body = template.texts.body ?? alert.body
    if rule.showsAlertSubtitle, template.texts.subtitle == nil {
      template.texts.subtitle = alert.subtitle
    }
    template.link = url(rule.link, in: scope)
    template.style = style(rule.style)
    let buttons = buttons()
    template.actions = rule.actions + buttons
    template.tracking = tracking()
    template.content = content(texts: template.texts, hasButtons: !buttons.isEmpty)
    template.removeActionsOfPages(unlike: rule.kind)
    return template
  }

  /// Whether the template's version can be read; a newer version may give each key another meaning.
  private mutating func isSupportedVersion() -> Bool {
    guard let path = rule.version,
      let found = values.values(at: path, in: scope, limit: 1).first
    else { return true }
    if found.json.integer == Int64(NotificationTemplate.currentVersion) { return true }
    values.report(
      found, "must be \(NotificationTemplate.currentVersion), the version that is read",
      code: .outOfRange)
    return false
  }

  private mutating func checkCategory() {
    let path: PayloadPath = "aps.category"
    guard category.isEmpty || !adapter.categories.isEmpty else { return }
    guard !adapter.categories.contains(category) else { return }
    // The service extensions of these vendors set the category.
    guard adapter.id != .exponea, !(adapter.id == .reteno && rule.kind == .banner) else { return }
    let names =
      adapter.categories.isEmpty
      ? "that of a content extension"
      : adapter.categories.count > 2
        ? "that of the template" : adapter.categories.joined(separator: " or ")
    values.report(
      path: path, "must be \(names), so that iOS starts the content extension",
      code: .wrongCategory)
  }

  private mutating func reportUnknown(_ path: PayloadPath) {
    guard let value = values.values(at: path, in: scope, limit: 1).first else {
      values.report(path: path, "names no template that is known", code: .unknownName)
      return
    }
    values.report(value, "names no template that is known", code: .unknownName)
  }

  private mutating func tracking() -> JSONValue? {
    guard let path = rule.tracking,
      let found = values.values(at: path, in: scope, limit: 1).first
    else { return nil }
    guard found.json.object != nil else {
      values.report(found, expected: "an object")
      return nil
    }
    guard found.json.bytes.count <= TemplateLimits.tracking else {
      values.report(
        found, "has more than the \(TemplateLimits.tracking) bytes that are kept",
        code: .outOfRange)
      return nil
    }
    return found.json
  }

  /// The buttons that the payload names.
  private mutating func buttons() -> [TemplateAction] {
    if let request, rule.kind == .actions {
      return request.buttons.prefix(TemplateLimits.buttons).map { button in
        let title = TemplateText(button.title)
        let path: PayloadPath = "actions"
        return TemplateAction(
          id: identifier(button.identifier, at: path),
          title: title.string.isBlank
            ? nil : (title.cut(to: TemplateLimits.title) ?? title).string,
          effect: .forward,
          link: button.url.flatMap { url($0, at: path) })
      }
    }
    guard let rule = rule.buttons else { return [] }
    let items = values.items(at: rule.list, in: scope, limit: TemplateLimits.buttons)
    return items.compactMap { value in
      let item = Scope(top: scope.top, item: value)
      guard let id = identifier(rule.id, in: item) else {
        values.report(value, "has no id, so that it is left out", code: .outOfRange)
        return nil
      }
      let title = text(rule.title, in: item, limit: TemplateLimits.title)?.string
      let effect: TemplateAction.Effect? = word(rule.effect, in: item)
      return TemplateAction(
        id: id, title: title, effect: effect ?? .forward, link: url(rule.link, in: item))
    }
  }
}
