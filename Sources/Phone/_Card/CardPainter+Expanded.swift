import NotificationCards
import NotificationTemplates

extension CardPainter {
  /// The long-pressed notification: media from edge to edge, the whole text, the buttons below.
  ///
  /// A template has a column for each of its faces.
  func expanded(_ card: NotificationCard) -> [[Block]] {
    if let template = card.template { return expanded(card, template) }
    let media = card.attachments.first.map(largeMedium)
    let more = furtherMedia(Array(card.attachments.dropFirst().prefix(4)))
    let text = textColumn(
      card, width: width - Self.textInset - Self.padding, trailing: 0, limited: false)
    let top = (media?.height ?? 0) + (more?.height ?? 0)
    let height = top + max(text.height, Self.iconSide) + 26
    let platter = Block(height: height) { canvas, origin in
      let rect = Rect(x: origin.x, y: origin.y, width: width, height: height)
      self.platter(on: canvas, rect)
      canvas.path(rect, radius: radius)
      canvas.clipped {
        media?.draw(canvas, origin)
        more?.draw(canvas, Point(x: origin.x, y: origin.y + (media?.height ?? 0)))
      }
      let y = origin.y + top + 13
      icon(
        card, on: canvas,
        placed(
          Rect(x: rect.x + Self.padding, y: y, width: Self.iconSide, height: Self.iconSide),
          in: rect))
      let slack = max(0, Self.iconSide - text.height) / 2
      text.draw(canvas, Point(x: textX(in: rect), y: y + slack))
    }
    return [card.actions.isEmpty ? [platter] : [platter, actions(card.actions)]]
  }

  func actions(_ titles: [String]) -> Block {
    let isLarge = style.textSize.isAccessibility
    // iOS shows at most ten actions.
    let layouts = titles.prefix(10).map {
      type.layout($0, .init(size: 16), width: width - 36, lines: isLarge ? 3 : 1)
    }
    let rows = layouts.map { layout in
      isLarge ? layout.height + 32 : 48 * max(1, style.textSize.factor)
    }
    let height = rows.reduce(0, +)
    return Block(height: height) { canvas, origin in
      platter(on: canvas, Rect(x: origin.x, y: origin.y, width: width, height: height))
      var y = origin.y
      for (index, (layout, row)) in zip(layouts, rows).enumerated() {
        let place = Rect(
          x: origin.x + 18, y: y + (row - layout.height) / 2, width: layout.width,
          height: layout.height)
        let whole = Rect(x: origin.x, y: y, width: width, height: row)
        layout.drawLabel(
          on: canvas, at: Point(x: placed(place, in: whole).x, y: place.y), palette.primary)
        if index > 0 {
          canvas.path(Rect(x: origin.x, y: y, width: width, height: 0.5))
          canvas.fill(palette.separator)
        }
        y += row
      }
    }
  }

  private func largeMedium(_ attachment: NotificationCard.Attachment) -> Block {
    switch attachment.kind {
    case .audio:
      let height = 84.0
      return Block(height: height) { canvas, origin in
        player(
          attachment, on: canvas, Rect(x: origin.x, y: origin.y, width: width, height: height))
      }
    case .video:
      let poster = attachment.posterPath.flatMap { picture($0, longestSide: width * 1.5) }
      let height = largeHeight(of: poster, otherwise: width * 9 / 16)
      return Block(height: height) { canvas, origin in
        film(
          attachment, poster: poster, on: canvas,
          Rect(x: origin.x, y: origin.y, width: width, height: height))
      }
    default:
      let picture = picture(attachment.path, longestSide: width * 1.5)
      let height = largeHeight(of: picture, otherwise: 132)
      return Block(height: height) { canvas, origin in
        let rect = Rect(x: origin.x, y: origin.y, width: width, height: height)
        guard let picture else { return emptyPlace(attachment.name, on: canvas, rect) }
        picture.draw(on: canvas, filling: rect)
      }
    }
  }

  /// The height of a picture at full width, within limits for very wide and very high ones.
  private func largeHeight(of picture: Picture?, otherwise height: Double) -> Double {
    guard let picture else { return height }
    return min(max(width * picture.height / picture.width, width * 0.35), width * 1.15)
  }

  /// The attachments after the first, side by side.
  private func furtherMedia(_ attachments: [NotificationCard.Attachment]) -> Block? {
    guard !attachments.isEmpty else { return nil }
    let gap = 2.0
    let height = 92.0
    let side = (width + gap) / Double(attachments.count) - gap
    return Block(height: height + gap) { canvas, origin in
      for (index, attachment) in attachments.enumerated() {
        let x = origin.x + (side + gap) * Double(index)
        tile(
          attachment, on: canvas, Rect(x: x, y: origin.y + gap, width: side, height: height),
          radius: 0)
      }
    }
  }
}
