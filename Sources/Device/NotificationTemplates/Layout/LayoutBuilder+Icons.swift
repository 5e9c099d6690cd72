extension LayoutBuilder {
  /// The largest side of an icon's picture, in points.
  private static let iconSide = 96.0

  /// Pictures in rows, each with its title below; large titles are beside them.
  mutating func add(icons items: [TemplateItem]) {
    addTexts(template.texts)
    if template.texts == TemplateTexts() { y += margin * 0.75 }
    if let perRow = iconsPerRow(items) {
      addRows(of: items, perRow: perRow)
    } else {
      addList(of: items)
    }
    y += gap
  }

  /// The most icons that fit into a row without breaking a word; `nil` if the titles are too large for two icons.
  private func iconsPerRow(_ items: [TemplateItem]) -> Int? {
    if isStacked { return nil }
    let words = items.flatMap { item in
      (item.title?.string ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    }
    let widest =
      words.map { word in
        measurer.size(of: TemplateText(word), font: font(.footnote), width: width, lines: 1).width
      }.max() ?? 0
    return (1...items.count).lazy.map { rows in (items.count + rows - 1) / rows }
      .first { $0 > 1 && widest <= iconWidth(perRow: $0) }
  }

  private func iconWidth(perRow: Int) -> Double {
    ((textWidth - gap * Double(perRow - 1)) / Double(perRow)).rounded(.down)
  }

  private func label(of item: TemplateItem, isCentered: Bool) -> [TemplateLabel] {
    guard let title = item.title else { return [] }
    return [
      TemplateLabel(
        text: title, font: font(isCentered ? .footnote : .body), color: palette.body,
        lines: lines(2), isCentered: isCentered)
    ]
  }

  private mutating func addRows(of items: [TemplateItem], perRow: Int) {
    let side = iconWidth(perRow: perRow)
    let edge = min(side, Self.iconSide)
    var number = 0
    while number < items.count {
      let row = items[number..<min(number + perRow, items.count)]
      // A row that is not full is in the middle.
      let first = (width - (Double(row.count) * (side + gap) - gap)) / 2
      var bottom = y + edge
      for (column, item) in row.enumerated() {
        let x = (first + Double(column) * (side + gap)).rounded(.down)
        let tap = TemplateElement.Tap.open(template.link(of: item))
        let frame = TemplateRect(x: x + (side - edge) / 2, y: y, width: edge, height: edge)
        parts.append(picture(item.media, in: frame, tap: tap))
        let texts = self.column(
          label(of: item, isCentered: true),
          in: TemplateRect(x: x, y: y + edge + 4, width: side, height: 0), tap: tap)
        parts += texts.elements
        if texts.height > 0 { bottom = max(bottom, y + edge + 4 + texts.height) }
      }
      y = bottom + gap
      number += perRow
    }
  }

  private mutating func addList(of items: [TemplateItem]) {
    let edge = 64.0
    for item in items {
      let tap = TemplateElement.Tap.open(template.link(of: item))
      parts.append(
        picture(
          item.media, in: TemplateRect(x: margin, y: y, width: edge, height: edge), tap: tap))
      let x = margin + edge + 12
      let place = TemplateRect(x: x, y: y, width: width - margin - x, height: 0)
      var texts = column(label(of: item, isCentered: false), in: place, tap: tap)
      let inset = max(0, (edge - texts.height) / 2)
      for index in texts.elements.indices { texts.elements[index].frame.y += inset }
      parts += texts.elements
      y += max(edge, texts.height) + gap
    }
  }
}
