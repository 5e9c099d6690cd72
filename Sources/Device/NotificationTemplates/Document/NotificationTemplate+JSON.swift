package import PushPayload

extension NotificationTemplate {
  /// The value of `_martlet.template` for this template; members with their default value are left out.
  package var json: JSONValue {
    let writer = TemplateWriter(isHTML: texts(where: { !$0.marks.isEmpty }))
    return writer.json(self)
  }

  /// Whether any text meets a condition.
  private func texts(where condition: (TemplateText) -> Bool) -> Bool {
    var all: [TemplateText?] = [texts.title, texts.subtitle, texts.body]
    func add(_ texts: TemplateTexts) { all += [texts.title, texts.subtitle, texts.body] }
    for page in pages { all += [page.title, page.body, page.price] }
    switch content {
    case .banner(let banner): all += banner.details.map(\.text) + [banner.button?.title]
    case .timer(let timer): add(timer.expiredTexts)
    case .rating(let rating): all += rating.details.map(\.text) + [rating.submitTitle]
    case .catalog(let catalog): all.append(catalog.button?.title)
    case .input(let question), .poll(let question):
      add(question.feedbackTexts)
      all += question.choices.map(\.title) + [question.prompt]
    case .text, .carousel, .icons, .actions, .media, .web: break
    }
    return all.contains { $0.map(condition) == true }
  }
}

/// Writes the members of an object, without those that are empty.
private struct TemplateWriter {
  let isHTML: Bool

  func json(_ template: NotificationTemplate) -> JSONValue {
    var members: [String: JSONValue?] = [
      "version": .integer(Int64(template.version)), "kind": .string(template.kind.rawValue),
      "format": isHTML ? "html" : nil, "id": template.id.map(JSONValue.string),
      "texts": texts(template.texts), "link": template.link.map(JSONValue.string),
      "style": object([
        "background": colors(template.style.background), "title": colors(template.style.title),
        "body": colors(template.style.body), "accent": colors(template.style.accent),
      ]),
      "actions": array(template.actions.map(action)), "tracking": template.tracking,
    ]
    members.merge(content(template.content)) { $1 }
    return object(members) ?? [:]
  }

  private func content(_ content: TemplateContent) -> [String: JSONValue?] {
    switch content {
    case .text: [:]
    case .banner(let banner):
      [
        "media": media(banner.media),
        "placement": banner.placement == .below ? nil : .string(banner.placement.rawValue),
        "details": details(banner.details), "button": banner.button.flatMap(button),
      ]
    case .carousel(let carousel): self.carousel(carousel)
    case .timer(let timer):
      [
        "end": number(timer.end), "media": timer.media.flatMap(media),
        "expired": object([
          "texts": texts(timer.expiredTexts), "media": timer.expiredMedia.flatMap(media),
          "keeps_body": timer.keepsBody ? nil : false,
        ]), "box": box(timer.box),
      ]
    case .rating(let rating): self.rating(rating)
    case .catalog(let catalog):
      [
        "pages": array(catalog.items.map(item)),
        "layout": catalog.layout == .stacked ? nil : .string(catalog.layout.rawValue),
        "button": catalog.button.flatMap(button),
      ]
    case .icons(let items): ["pages": array(items.map(item))]
    case .actions(let picture): ["media": picture.flatMap(media)]
    case .media(let player):
      ["media": media(player.media), "poster": player.poster.flatMap(media)]
    case .web(let page):
      [
        "url": .string(page.url), "aspect": number(page.aspect),
        "media": page.poster.flatMap(media),
      ]
    case .input(let question), .poll(let question): self.question(question)
    }
  }

  private func carousel(_ carousel: TemplateCarousel) -> [String: JSONValue?] {
    [
      "pages": array(carousel.pages.map(item)), "advance": carousel.advance.map(number),
      "wraps": carousel.wraps ? nil : false,
      "layout": carousel.layout == .full ? nil : .string(carousel.layout.rawValue),
      "peek": carousel.peek == 0.75 ? nil : number(carousel.peek),
      "aspect": carousel.aspect.map(number),
      "spacing": carousel.spacing == 0 ? nil : number(carousel.spacing),
      "indicator": carousel.hasIndicator ? nil : false,
      "page_background": colors(carousel.pageBackground),
    ]
  }

  private func rating(_ rating: TemplateRating) -> [String: JSONValue?] {
    [
      "media": rating.media.flatMap(media), "details": details(rating.details),
      "scale": .integer(Int64(rating.scale)),
      "links": array(rating.links.map(JSONValue.string)),
      "commit": rating.commit == .tap ? nil : .string(rating.commit.rawValue),
      "submit": object([
        "link": rating.submitLink.map(JSONValue.string), "title": rating.submitTitle.map(text),
      ]),
      "icons": object([
        "on": rating.chosenIcon.flatMap(media), "off": rating.icon.flatMap(media),
      ]),
    ]
  }

  private func question(_ question: TemplateQuestion) -> [String: JSONValue?] {
    let choices = question.choices.map { choice in
      object(["id": .string(choice.id), "title": text(choice.title)])
    }
    return [
      "prompt": question.prompt.map(text), "media": question.media.flatMap(media),
      "choices": array(choices),
      "feedback": object([
        "texts": texts(question.feedbackTexts), "media": question.feedbackMedia.flatMap(media),
      ]),
    ]
  }

  private func item(_ item: TemplateItem) -> JSONValue? {
    object([
      "id": item.id.map(JSONValue.string), "media": media(item.media),
      "title": item.title.map(text), "body": item.body.map(text), "price": item.price.map(text),
      "link": item.link.map(JSONValue.string),
    ])
  }

  private func media(_ media: TemplateMedia) -> JSONValue? {
    object([
      "id": .string(media.id), "url": .string(media.url),
      "alternative_url": media.alternative.map(JSONValue.string),
      "alt": media.alt.map(JSONValue.string), "kind": .string(media.kind.rawValue),
      "fit": media.fit == .fill ? nil : .string(media.fit.rawValue),
      "corner": media.corner == 0 ? nil : number(media.corner), "border": border(media.border),
    ])
  }

  private func action(_ action: TemplateAction) -> JSONValue? {
    object([
      "id": .string(action.id), "title": action.title.map(JSONValue.string),
      "effect": .string(action.effect.rawValue), "link": action.link.map(JSONValue.string),
    ])
  }

  private func details(_ details: [TemplateDetail]) -> JSONValue? {
    array(
      details.map { detail in
        var members = colors(detail.colors)?.object ?? [:]
        members["text"] = text(detail.text)
        return .object(members)
      })
  }

  private func button(_ button: TemplateButton) -> JSONValue? {
    var members = box(button.box)?.object ?? [:]
    members["title"] = text(button.title)
    members["link"] = button.link.map(JSONValue.string)
    return .object(members)
  }

  private func box(_ box: TemplateBox) -> JSONValue? {
    let gradient = box.gradient.flatMap { gradient in
      object([
        "from": .string(gradient.from.hex), "to": .string(gradient.to.hex),
        "degrees": number(gradient.degrees), "shape": gradient.isRadial ? "radial" : "linear",
      ])
    }
    return object([
      "text": colors(box.text), "background": colors(box.background), "gradient": gradient,
      "border": border(box.border), "corner": box.corner == 0 ? nil : number(box.corner),
    ])
  }

  private func border(_ border: TemplateBorder) -> JSONValue? {
    var members = colors(border.colors)?.object ?? [:]
    if border.width != 0 || !members.isEmpty { members["width"] = number(border.width) }
    return members.isEmpty ? nil : .object(members)
  }

  private func colors(_ colors: TemplateColors) -> JSONValue? {
    object([
      "light": (colors.light?.hex).map(JSONValue.string),
      "dark": (colors.dark?.hex).map(JSONValue.string),
    ])
  }

  private func texts(_ texts: TemplateTexts) -> JSONValue? {
    object([
      "title": texts.title.map(text), "subtitle": texts.subtitle.map(text),
      "body": texts.body.map(text),
    ])
  }

  private func text(_ text: TemplateText) -> JSONValue {
    .string(isHTML ? text.html : text.string)
  }

  /// The number as the parser reads it: an integer if it has no fraction.
  private func number(_ number: Double) -> JSONValue {
    Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }

  private func array(_ elements: [JSONValue?]) -> JSONValue? {
    elements.isEmpty ? nil : .array(elements.compactMap(\.self))
  }

  private func object(_ members: [String: JSONValue?]) -> JSONValue? {
    let present = members.compactMapValues(\.self)
    return present.isEmpty ? nil : .object(present)
  }
}
