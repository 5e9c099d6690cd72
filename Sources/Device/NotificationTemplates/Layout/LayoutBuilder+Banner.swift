extension LayoutBuilder {
  mutating func add(_ banner: TemplateBanner) {
    switch banner.placement {
    case .beside where !isStacked: addBeside(banner)
    case .over: addOver(banner)
    case .below, .beside:
      addPicture(banner.media)
      addTexts(template.texts, details: banner.details)
      if let button = banner.button {
        addButton(button.title, button.box, tap: .open(button.link ?? template.link))
      }
    }
  }

  /// Adds a picture, if there is one, and the texts below it.
  mutating func addBanner(_ media: TemplateMedia?) {
    if let media { addPicture(media) }
    addTexts(template.texts)
  }

  /// The texts over the picture, which is as high as they need.
  private mutating func addOver(_ banner: TemplateBanner) {
    // On a white picture the veil leaves this gray, the lightest background there can be.
    let lightest = TemplateColor(rgb: 0x666666)
    let style = template.style
    let labels = (labels(template.texts, on: lightest) + labels(of: banner.details)).map { label in
      var label = label
      let isTitle = label.font.style != .body
      label.color = palette.color(
        isTitle ? style.title : style.body, or: .white, on: lightest)
      return label
    }
    let probe = column(labels, in: TemplateRect(x: margin, y: 0, width: textWidth, height: 0))
    let texts = probe.height + 2 * margin
    let height = max((width * aspect(of: banner.media)).rounded(), labels.isEmpty ? 0 : texts)
    let frame = TemplateRect(x: 0, y: y, width: width, height: height)
    parts.append(picture(banner.media, in: frame, tap: .open(template.link)))
    if !labels.isEmpty {
      let veil = TemplateRect(x: 0, y: y + height - texts, width: width, height: texts)
      parts.append(TemplateElement(content: .veil, frame: veil))
      let text = TemplateRect(x: margin, y: veil.y + margin, width: textWidth, height: 0)
      parts += column(labels, in: text, tap: .open(template.link)).elements
    }
    y += height
    if let button = banner.button {
      y += margin * 0.75
      addButton(button.title, button.box, tap: .open(button.link ?? template.link))
    }
  }

  /// The picture at the leading side, and the texts and the button in a column beside it.
  private mutating func addBeside(_ banner: TemplateBanner) {
    let side = (textWidth * 0.4).rounded()
    let aspect =
      environment.pictureSizes[banner.media.id] == nil
      ? 1.333 : aspect(of: banner.media, range: 0.75...1.8)
    let top = y + margin
    let image = TemplateRect(
      x: margin, y: top, width: side, height: (side * aspect).rounded())
    parts.append(picture(banner.media, in: image, tap: .open(template.link)))
    let x = image.maxX + 12
    let columnWidth = max(1, width - margin - x)
    let labels = labels(template.texts) + labels(of: banner.details)
    let texts = column(
      labels, in: TemplateRect(x: x, y: top, width: columnWidth, height: 0),
      tap: .open(template.link))
    parts += texts.elements
    var bottom = top + texts.height
    if let button = banner.button {
      // At the foot of the column, as the vendor's view has it.
      for var element in self.button(
        button.title, button.box,
        in: TemplateRect(x: x, y: bottom + gap, width: columnWidth, height: 0),
        tap: .open(button.link ?? template.link))
      {
        element.frame.y = max(element.frame.y, image.maxY - element.frame.height)
        parts.append(element)
      }
      bottom = parts.last?.frame.maxY ?? bottom
    }
    y = max(bottom, image.maxY) + margin
  }

  mutating func add(_ player: TemplatePlayer) {
    let isVideo = player.media.kind == .video
    let shape = player.poster ?? player.media
    let height =
      isVideo || player.poster != nil ? (width * aspect(of: shape)).rounded() : target + 2 * gap
    parts.append(
      TemplateElement(
        content: .player(player.media, poster: player.poster),
        frame: TemplateRect(x: 0, y: y, width: width, height: height),
        accessibility: TemplateAccessibility(label: label(of: player.media), traits: [.button])))
    y += height
    addTexts(template.texts)
  }

  mutating func add(_ page: TemplateWebPage) {
    guard environment.showsWebPages else {
      addBanner(page.poster)
      return
    }
    let height = (width * min(max(page.aspect, 0.25), 1.8)).rounded()
    parts.append(
      TemplateElement(
        content: .webPage(page.url),
        frame: TemplateRect(x: 0, y: y, width: width, height: height)))
    y += height
  }

  mutating func add(_ timer: TemplateTimer) {
    let countdown = TemplateCountdown(end: timer.end, now: environment.now)
    if countdown.hasEnded {
      if let media = timer.expiredMedia ?? timer.media { addPicture(media) }
      addTexts(timer.texts(after: template.texts))
      return
    }
    tick = 1
    if let media = timer.media { addPicture(media) }
    let time = countdown.text(words)
    var font = font(.title)
    font.hasEvenDigits = true
    let look = readable(timer.box)
    let color = TemplateColor.readable(
      [look.text[environment.isDark], palette.title], on: backgrounds(of: look))
    let label = TemplateLabel(
      text: TemplateText(time), font: font, color: color, lines: lines(1), isCentered: true)
    // As wide as the longest time of its form, so that nothing moves while it counts.
    let widest = String(time.map { $0.isNumber ? "0" : $0 })
    var wide = label
    wide.text = TemplateText(widest)
    let size = size(of: wide, width: textWidth)
    // A countdown without a box is at the edge of the texts.
    let isVisible =
      look.background[environment.isDark] != nil || look.gradient != nil || look.border.width > 0
    let inset = isVisible ? gap : 0
    let box = TemplateSize(width: size.width + 2 * inset, height: size.height + inset)
    let labels = labels(template.texts)
    let columnWidth = isStacked ? textWidth : max(1, textWidth - box.width - 12)
    let top = y + margin * 0.75
    let texts = column(
      labels, in: TemplateRect(x: margin, y: top, width: columnWidth, height: 0),
      tap: .open(template.link))
    parts += texts.elements
    let frame =
      isStacked
      ? TemplateRect(
        x: margin, y: top + texts.height + (labels.isEmpty ? 0 : gap),
        width: min(box.width, textWidth), height: box.height)
      : TemplateRect(
        x: width - margin - box.width, y: top, width: box.width, height: box.height)
    if isVisible { parts.append(TemplateElement(content: .box(look), frame: frame)) }
    parts.append(
      TemplateElement(
        content: .text(label), frame: frame, tap: .open(template.link),
        accessibility: TemplateAccessibility(
          label: words.timeLeft, value: time, traits: [.updatesFrequently])))
    y = max(top + texts.height, frame.maxY) + margin * 0.75
  }
}

extension TemplateTimer {
  /// The texts after the end; texts that have no replacement may stay.
  package func texts(after running: TemplateTexts) -> TemplateTexts {
    TemplateTexts(
      title: expiredTexts.title ?? running.title,
      subtitle: expiredTexts.subtitle ?? (keepsBody ? running.subtitle : nil),
      body: expiredTexts.body ?? (keepsBody ? running.body : nil))
  }
}
