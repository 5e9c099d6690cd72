extension LayoutBuilder {
  /// The page that is shown, and those beside it, so that a person can drag them in.
  ///
  /// All pages have the height of the one with the longest texts, so that the view does not jump.
  mutating func add(_ carousel: TemplateCarousel) {
    // Large text needs the place of the neighbors.
    let layout = isStacked ? .full : carousel.layout
    let pageWidth = pageWidth(of: carousel, layout)
    let first = layout == .peek ? (width - pageWidth) / 2 : layout == .full ? 0 : margin
    let spacing = layout == .full ? 0 : max(carousel.spacing, gap)
    let aspect = carousel.aspect ?? self.aspect(of: carousel.pages[0].media)
    let pictureHeight = (pageWidth * aspect).rounded()
    let inset = layout == .full ? margin : gap
    let textWidth = max(1, pageWidth - 2 * inset)
    let textHeight =
      carousel.pages.map { height(of: labels(of: $0, in: carousel), width: textWidth) }.max() ?? 0
    // Pages with corners of their own do not touch the header.
    if layout != .full { y += gap }
    let beside = layout == .filmstrip ? -1...3 : -1...1
    let count = carousel.pages.count
    for offset in beside.sorted(by: { abs($0) > abs($1) }) {
      // The first page has a neighbor before it, and the last one after it, only if the carousel wraps.
      guard carousel.wraps || (0..<count).contains(page + offset) else { continue }
      let number = ((page + offset) % count + count) % count
      let item = carousel.pages[number]
      let x = (first + Double(offset) * (pageWidth + spacing)).rounded()
      let tap: TemplateElement.Tap = offset == 0 ? .open(template.link(of: item)) : .page(number)
      if let fill = carousel.pageBackground[environment.isDark] {
        parts.append(
          TemplateElement(
            content: .fill(fill),
            frame: TemplateRect(
              x: x, y: y, width: pageWidth,
              height: pictureHeight + (textHeight > 0 ? textHeight + 2 * gap : 0)), page: number))
      }
      var image = picture(
        item.media, in: TemplateRect(x: x, y: y, width: pageWidth, height: pictureHeight), tap: tap,
        page: number)
      image.accessibility = offset == 0 ? accessibility(of: number, in: carousel) : nil
      parts.append(image)
      let texts = column(
        labels(of: item, in: carousel),
        in: TemplateRect(x: x + inset, y: y + pictureHeight + gap, width: textWidth, height: 0),
        tap: tap, page: number)
      parts += texts.elements.map { element in
        var element = element
        if offset != 0 { element.accessibility = nil }
        return element
      }
    }
    y += pictureHeight + (textHeight > 0 ? textHeight + 2 * gap : 0)
    addIndicator(carousel)
  }

  private func pageWidth(
    of carousel: TemplateCarousel, _ layout: TemplateCarousel.Layout
  ) -> Double {
    switch layout {
    case .full: width
    case .peek: (width * carousel.peek).rounded()
    case .filmstrip: (width * 0.4).rounded()
    }
  }

  /// The texts of a page, or those of the template if the page has none.
  private func labels(of item: TemplateItem, in carousel: TemplateCarousel) -> [TemplateLabel] {
    // Small pages have their own texts alone.
    if carousel.layout == .filmstrip, item.title == nil, item.body == nil { return [] }
    let texts = template.texts
    return labels(
      TemplateTexts(
        title: item.title ?? texts.title, subtitle: item.title == nil ? texts.subtitle : nil,
        body: item.body ?? (item.title == nil ? texts.body : nil)),
      on: carousel.pageBackground[environment.isDark]?.over(palette.background))
  }

  private func height(of labels: [TemplateLabel], width: Double) -> Double {
    column(labels, in: TemplateRect(x: 0, y: 0, width: width, height: 0)).height
  }

  /// The words and actions of a page for VoiceOver: its picture, its number, and the actions that leave it.
  private func accessibility(
    of number: Int, in carousel: TemplateCarousel
  ) -> TemplateAccessibility {
    let item = carousel.pages[number]
    let count = carousel.pages.count
    var accessibility = TemplateAccessibility(
      label: item.media.alt ?? item.title?.string ?? words.picture,
      value: words.page(number + 1, of: count), traits: [.image, .adjustable])
    typealias Action = TemplateAccessibility.Action
    if carousel.wraps || number < count - 1 {
      accessibility.actions.append(Action(name: words.next, tap: .next))
    }
    if carousel.wraps || number > 0 {
      accessibility.actions.append(Action(name: words.previous, tap: .previous))
    }
    accessibility.actions.append(Action(name: words.open, tap: .open(template.link(of: item))))
    return accessibility
  }

  private mutating func addIndicator(_ carousel: TemplateCarousel) {
    y += gap
    guard carousel.hasIndicator else { return }
    parts.append(
      TemplateElement(
        content: .indicator(count: carousel.pages.count, page: page, palette.accent),
        frame: TemplateRect(x: 0, y: y, width: width, height: 20)))
    y += 20 + gap
  }

  /// The chosen product large, all of them small below it, then its texts and the button.
  mutating func add(_ catalog: TemplateCatalog) {
    let item = catalog.items[page]
    let link = template.link(of: item)
    let height = (width * aspect(of: item.media, range: 0.25...0.75)).rounded()
    parts.append(
      picture(
        item.media, in: TemplateRect(x: 0, y: y, width: width, height: height), tap: .open(link),
        page: page))
    y += height + gap
    let count = Double(catalog.items.count)
    let side = min(72, (textWidth - gap * (count - 1)) / count).rounded(.down)
    for (number, item) in catalog.items.enumerated() {
      let frame = TemplateRect(
        x: margin + Double(number) * (side + gap), y: y, width: side, height: side)
      var media = item.media
      if media.corner == 0 { media.corner = gap }
      // The chosen one is known by its border.
      let accent = TemplateColors(light: palette.accent, dark: palette.accent)
      media.border = number == page ? TemplateBorder(colors: accent, width: 3) : TemplateBorder()
      var thumb = picture(media, in: frame, tap: .page(number), page: number)
      thumb.accessibility = TemplateAccessibility(
        label: item.title?.string ?? label(of: item.media),
        value: words.page(
          number + 1, of: catalog.items.count),
        traits: number == page ? [.button, .selected] : [.button])
      parts.append(thumb)
    }
    y += side
    addProduct(item, link: link, in: catalog)
  }

  private mutating func addProduct(
    _ item: TemplateItem, link: String?, in catalog: TemplateCatalog
  ) {
    var labels = labels(
      TemplateTexts(title: item.title ?? template.texts.title, body: item.body))
    if let price = item.price {
      labels.append(
        TemplateLabel(
          text: price, font: font(.headline), color: palette.title, lines: lines(1)))
    }
    let top = y + margin * 0.75
    guard catalog.layout == .row, !isStacked, let button = catalog.button else {
      let texts = column(
        labels, in: TemplateRect(x: margin, y: top, width: textWidth, height: 0), tap: .open(link))
      parts += texts.elements
      y = top + texts.height + margin * 0.75
      if let button = catalog.button {
        addButton(button.title, button.box, tap: .open(button.link ?? link))
      }
      return
    }
    let side = (textWidth * 0.35).rounded()
    let texts = column(
      labels, in: TemplateRect(x: margin, y: top, width: textWidth - side - 12, height: 0),
      tap: .open(link))
    parts += texts.elements
    let elements = self.button(
      button.title, button.box,
      in: TemplateRect(x: width - margin - side, y: top, width: side, height: 0),
      tap: .open(button.link ?? link))
    parts += elements
    y = max(top + texts.height, elements.last?.frame.maxY ?? top) + margin * 0.75
  }
}
