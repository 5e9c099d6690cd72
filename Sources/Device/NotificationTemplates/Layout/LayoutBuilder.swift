/// The arithmetic of one layout: parts are added from the top down, for text from left to right, and mirrored at the end.
struct LayoutBuilder {
  let template: NotificationTemplate
  let state: TemplateState
  let environment: TemplateEnvironment
  let measurer: any TemplateTextMeasurer
  let words: TemplateWords
  let palette: TemplatePalette
  /// The page or the product that is shown.
  let page: Int
  let margin: Double
  let gap = 8.0
  /// The least side of a tappable part, in points (Human Interface Guidelines).
  let target = 44.0
  /// The bottom of the parts that were added.
  var y = 0.0
  var parts: [TemplateElement] = []
  var tick: Double?

  init(
    _ template: NotificationTemplate, state: TemplateState, in environment: TemplateEnvironment,
    measuring measurer: any TemplateTextMeasurer
  ) {
    self.template = template
    self.state = state
    self.environment = environment
    self.measurer = measurer
    words = TemplateWords(language: environment.language)
    palette = TemplatePalette(template.style, isDark: environment.isDark)
    page = min(max(0, state.page), max(0, template.pages.count - 1))
    margin = environment.isRegular ? 20 : 16
  }

  var width: Double { environment.width }
  var textWidth: Double { max(1, width - 2 * margin) }
  /// Whether parts that are usually side by side are stacked, because the text is large.
  var isStacked: Bool { environment.textSize.isAccessibility }

  /// The parts on the background, in the direction of the language.
  func elements(height: Double) -> [TemplateElement] {
    let background = TemplateElement(
      content: .fill(palette.background),
      frame: TemplateRect(x: 0, y: 0, width: width, height: height))
    let all = [background] + parts
    guard environment.isRightToLeft else { return all }
    return all.map { element in
      var element = element
      element.frame = element.frame.mirrored(in: width)
      return element
    }
  }

  mutating func build() {
    switch template.content {
    case .text: addTexts(template.texts)
    case .banner(let banner): add(banner)
    case .carousel(let carousel): add(carousel)
    case .timer(let timer): add(timer)
    case .rating(let rating): add(rating)
    case .catalog(let catalog): add(catalog)
    case .icons(let items): add(icons: items)
    case .actions(let media): addBanner(media)
    case .media(let player): add(player)
    case .web(let page): add(page)
    case .input(let question), .poll(let question): add(question)
    }
  }

  /// The template's buttons that have an effect: they do not move beyond the ends, or submit before a choice.
  var actions: [TemplateAction] {
    template.actions.filter { action in
      switch (action.effect, template.content) {
      case (.next, .carousel(let carousel)): carousel.wraps || page < carousel.pages.count - 1
      case (.previous, .carousel(let carousel)): carousel.wraps || page > 0
      case (.submit, .rating): state.rating != nil && !state.isAnswered
      case (.submit, _), (.choose, _): !state.isAnswered
      default: true
      }
    }
  }
}

// MARK: - Texts

extension LayoutBuilder {
  func font(_ style: TemplateFont.Style, _ weight: TemplateFont.Weight? = nil) -> TemplateFont {
    TemplateFont(style, environment.textSize, weight: weight)
  }

  /// The most lines at the usual sizes; large text is never cut off.
  func lines(_ count: Int) -> Int? { isStacked ? nil : count }

  func size(of label: TemplateLabel, width: Double) -> TemplateSize {
    measurer.size(of: label.text, font: label.font, width: max(1, width), lines: label.lines)
  }

  /// The labels of texts, on the given background or else on that of the template.
  func labels(
    _ texts: TemplateTexts, on background: TemplateColor? = nil
  ) -> [TemplateLabel] {
    let style = template.style
    func label(
      _ text: TemplateText?, _ font: TemplateFont, lines: Int, colors: TemplateColors,
      or color: TemplateColor
    ) -> TemplateLabel? {
      guard let text, !text.string.isEmpty else { return nil }
      let color =
        background == nil ? color : palette.color(colors, or: color, on: background)
      return TemplateLabel(text: text, font: font, color: color, lines: self.lines(lines))
    }
    return [
      label(texts.title, font(.headline), lines: 3, colors: style.title, or: palette.title),
      label(texts.subtitle, font(.subheadline), lines: 2, colors: style.title, or: palette.title),
      label(texts.body, font(.body), lines: 10, colors: style.body, or: palette.body),
    ].compactMap(\.self)
  }

  func labels(of details: [TemplateDetail]) -> [TemplateLabel] {
    details.map { detail in
      TemplateLabel(
        text: detail.text, font: font(.subheadline),
        color: palette.color(detail.colors, or: palette.body), lines: lines(3))
    }
  }

  /// The elements of labels below each other, and their height.
  func column(
    _ labels: [TemplateLabel], in frame: TemplateRect, tap: TemplateElement.Tap? = nil,
    page: Int? = nil
  ) -> (elements: [TemplateElement], height: Double) {
    var elements: [TemplateElement] = []
    var y = frame.y
    for (index, label) in labels.enumerated() {
      let size = size(of: label, width: frame.width)
      if index > 0 { y += 2 }
      var accessibility = TemplateAccessibility(label: label.text.string)
      if label.font.style == .headline, label.font.weight != .regular {
        accessibility.traits = [.header]
      }
      elements.append(
        TemplateElement(
          content: .text(label),
          frame: TemplateRect(x: frame.x, y: y, width: frame.width, height: size.height), tap: tap,
          page: page, accessibility: accessibility))
      y += size.height
    }
    return (elements, y - frame.y)
  }

  /// Adds texts with a margin around them.
  mutating func addTexts(_ texts: TemplateTexts, details: [TemplateDetail] = []) {
    let labels = labels(texts) + labels(of: details)
    if labels.isEmpty { return }
    let frame = TemplateRect(x: margin, y: y + margin * 0.75, width: textWidth, height: 0)
    let column = column(labels, in: frame, tap: .open(template.link))
    parts += column.elements
    y = frame.y + column.height + margin * 0.75
  }
}

// MARK: - Pictures and buttons

extension LayoutBuilder {
  /// The height of a picture divided by its width; 0.5625 if the size is not known.
  func aspect(of media: TemplateMedia, range: ClosedRange<Double> = 0.25...1.25) -> Double {
    guard let size = environment.pictureSizes[media.id], size.width > 0, size.height > 0 else {
      return 0.5625
    }
    return min(max(size.height / size.width, range.lowerBound), range.upperBound)
  }

  /// The description of a picture for VoiceOver.
  func label(of media: TemplateMedia) -> String {
    if let alt = media.alt { return alt }
    return switch media.kind {
    case .image, .gif: words.picture
    case .video: words.video
    case .audio: words.sound
    }
  }

  func picture(
    _ media: TemplateMedia, in frame: TemplateRect, tap: TemplateElement.Tap?, page: Int? = nil
  ) -> TemplateElement {
    TemplateElement(
      content: .picture(media), frame: frame, tap: tap, page: page,
      accessibility: TemplateAccessibility(
        label: label(of: media), traits: tap == nil ? [.image] : [.image, .button]))
  }

  /// Adds a picture over the whole width.
  mutating func addPicture(_ media: TemplateMedia, aspect: Double? = nil) {
    let height = (width * (aspect ?? self.aspect(of: media))).rounded()
    let frame = TemplateRect(x: 0, y: y, width: width, height: height)
    parts.append(picture(media, in: frame, tap: .open(template.link)))
    y += height
  }

  /// A button as wide as the column, and at least as high as a finger needs.
  ///
  /// A button with a look of its own has a box behind it.
  func button(
    _ title: TemplateText, _ box: TemplateBox, in frame: TemplateRect, tap: TemplateElement.Tap
  ) -> [TemplateElement] {
    var box = readable(box)
    let fill = (box.background[environment.isDark] ?? palette.accent).over(palette.background)
    box.background = TemplateColors(light: fill, dark: fill)
    let color = TemplateColor.readable(
      [box.text[environment.isDark], .white], on: backgrounds(of: box))
    let label = TemplateLabel(
      text: title, font: font(.body, .semibold), color: color, lines: lines(2), isCentered: true)
    let inside = size(of: label, width: frame.width - 2 * TemplateElement.inset)
    var frame = frame
    frame.height = max(target, inside.height + 2 * gap)
    // A button whose shape nobody chose has the system's.
    let isPlain = box.corner == 0 && box.border.width == 0 && box.gradient == nil
    var clear = fill
    clear.alpha = 0
    let button = TemplateElement(
      content: .button(label, isPlain ? fill : clear), frame: frame, tap: tap,
      accessibility: TemplateAccessibility(label: title.string, traits: [.button]))
    return isPlain ? [button] : [TemplateElement(content: .box(box), frame: frame), button]
  }

  /// The box, without its gradient if neither black nor white text can be read on it.
  func readable(_ box: TemplateBox) -> TemplateBox {
    let isReadable = [TemplateColor.black, .white].contains { color in
      backgrounds(of: box).allSatisfy { color.contrast(with: $0) >= TemplateColor.leastContrast }
    }
    var box = box
    if !isReadable { box.gradient = nil }
    return box
  }

  /// The colors behind a text in a box.
  func backgrounds(of box: TemplateBox) -> [TemplateColor] {
    let colors: [TemplateColor?] =
      box.gradient.map { [$0.from, $0.to] } ?? [box.background[environment.isDark]]
    return colors.map { $0?.over(palette.background) ?? palette.background }
  }

  /// Adds a button over the whole column.
  mutating func addButton(
    _ title: TemplateText, _ box: TemplateBox = TemplateBox(), tap: TemplateElement.Tap
  ) {
    let frame = TemplateRect(x: margin, y: y, width: textWidth, height: 0)
    let button = button(title, box, in: frame, tap: tap)
    parts += button
    y = (button.last?.frame.maxY ?? y) + margin * 0.75
  }
}
