import NotificationCards
import NotificationTemplates

extension CardPainter {
  private static let headerIconSide = 22.0
  private static let buttonRadius = 10.0

  /// The expanded notification with a content extension, in one column for each face.
  func expanded(_ card: NotificationCard, _ expanded: ExpandedTemplate) -> [[Block]] {
    let measurer = LabelMeasurer(type: labels)
    return expanded.faces.map { face in
      let environment = expanded.environment(
        style, now: face.now, sizeOfPicture: pixelSize(ofPicture:))
      let layout = TemplateLayout(
        expanded.template, state: face.state, in: environment, measuring: measurer)
      let view = view(layout, of: expanded, below: header(card))
      let buttons = expanded.buttons(in: layout)
      return buttons.isEmpty ? [view] : [view, actions(buttons)]
    }
  }

  /// The platter with the header and the view of the template.
  func view(
    _ layout: TemplateLayout, of expanded: ExpandedTemplate, below header: Block
  ) -> Block {
    let height = header.height + layout.size.height
    return Block(height: height) { canvas, origin in
      let rect = Rect(x: origin.x, y: origin.y, width: width, height: height)
      platter(on: canvas, rect)
      canvas.path(rect, radius: radius)
      canvas.clipped {
        header.draw(canvas, origin)
        draw(layout, of: expanded, on: canvas, at: Point(x: rect.x, y: rect.y + header.height))
      }
    }
  }

  /// The app's icon and name and the time, which the system keeps above a content extension.
  func header(_ card: NotificationCard) -> Block {
    let side = Self.headerIconSide * min(max(1, style.textSize.factor), 1.6)
    let inset = Self.padding + side + 8
    let time = type.layout(card.time, .init(size: 12.5), width: width * 0.3, lines: 1)
    let app = type.layout(
      card.appName, .init(size: 12.5, weight: 500),
      width: width - inset - Self.padding - time.width - 10, lines: 1)
    let height = (max(side, app.height, time.height) + 18).rounded(.up)
    return Block(height: height) { canvas, origin in
      let rect = Rect(x: origin.x, y: origin.y, width: width, height: height)
      icon(
        card, on: canvas,
        placed(
          Rect(x: rect.x + Self.padding, y: rect.midY - side / 2, width: side, height: side),
          in: rect))
      for (label, x) in [(app, rect.x + inset), (time, rect.maxX - Self.padding - time.width)] {
        let place = placed(
          Rect(x: x, y: rect.midY - label.height / 2, width: label.width, height: label.height),
          in: rect)
        label.drawLabel(on: canvas, at: Point(x: place.x, y: place.y), palette.secondary)
      }
    }
  }

  /// Draws the parts of a template from back to front.
  func draw(
    _ layout: TemplateLayout, of expanded: ExpandedTemplate, on canvas: Canvas, at origin: Point
  ) {
    let view = Rect(x: origin.x, y: origin.y, width: width, height: layout.size.height)
    for element in layout.elements {
      let frame = element.frame
      let rect = Rect(
        x: origin.x + frame.x, y: origin.y + frame.y, width: frame.width, height: frame.height)
      // The neighbors of a page may be outside of the view.
      guard rect.maxX > view.x, rect.x < view.maxX else { continue }
      draw(element.content, of: expanded, on: canvas, rect)
    }
  }

  private func draw(
    _ content: TemplateElement.Content, of expanded: ExpandedTemplate, on canvas: Canvas,
    _ rect: Rect
  ) {
    switch content {
    case .fill(let color):
      canvas.path(rect)
      canvas.fill(Color(color))
    case .veil: veil(on: canvas, rect)
    case .picture(let media): picture(media, of: expanded, on: canvas, rect)
    case .text(let label): draw(label, on: canvas, rect)
    case .button(let label, let fill):
      canvas.path(rect, radius: Self.buttonRadius)
      canvas.fill(Color(fill))
      draw(label, on: canvas, Self.titleRect(ofButton: rect))
    case .box(let box): draw(box, on: canvas, rect)
    case .indicator(let count, let page, let color):
      indicator(count: count, page: page, on: canvas, rect, Color(color))
    case .star(let isChosen, let icon, let color):
      star(isChosen: isChosen, icon: icon, of: expanded, on: canvas, rect, Color(color))
    case .player(let media, let poster):
      player(media, poster: poster, of: expanded, on: canvas, rect)
    case .webPage(let url): webPage(url, on: canvas, rect)
    }
  }

  /// The place of the title in the frame of a button.
  static func titleRect(ofButton rect: Rect) -> Rect {
    Rect(
      x: rect.x + TemplateElement.inset, y: rect.y, width: rect.width - 2 * TemplateElement.inset,
      height: rect.height)
  }

  /// The lines of a label in a place of its width.
  func lines(of label: TemplateLabel, width: Double) -> TextLayout {
    labels.layout(
      label.text, label.font, width: width, lines: label.lines, isCentered: label.isCentered)
  }

  private func draw(_ label: TemplateLabel, on canvas: Canvas, _ rect: Rect) {
    let lines = lines(of: label, width: rect.width)
    // A title is in the middle of its button or box; other places are as high as their text.
    lines.draw(
      on: canvas, at: Point(x: rect.x, y: rect.y + max(0, rect.height - lines.height) / 2),
      Color(label.color))
  }
}
