import NotificationCards
import Glibc
import NotificationTemplates

/// The parts of a template that are not texts.
extension CardPainter {
  /// Draws a picture as the template wants it: covering its place or all of it, with its corners and its border.
  func picture(
    _ media: TemplateMedia, of expanded: ExpandedTemplate, on canvas: Canvas, _ rect: Rect
  ) {
    let path = expanded.picture(of: media)
    let drawn = path.flatMap { picture($0, longestSide: max(rect.width, rect.height) * 1.5) }
    canvas.path(rect, radius: media.corner)
    canvas.clipped {
      if media.kind == .video || media.kind == .audio {
        still(drawn, part: nil, on: canvas, rect)
        playMark(
          on: canvas, Point(x: rect.midX, y: rect.midY),
          radius: min(29, min(rect.width, rect.height) * 0.3))
      } else if let drawn {
        drawn.draw(on: canvas, filling: media.fit == .fit ? drawn.place(fitting: rect) : rect)
      } else {
        let name = rect.width > 150 ? Self.fileName(of: media.url) : ""
        emptyPlace(name, on: canvas, rect)
      }
    }
    border(media.border, corner: media.corner, on: canvas, rect)
  }

  /// Draws a veil that gets dark above the text, which begins a margin below its edge.
  func veil(on canvas: Canvas, _ rect: Rect) {
    let dark = Color(0x000000, TemplateElement.veilOpacity)
    let edge = Rect(x: rect.x, y: rect.y, width: rect.width, height: min(14, rect.height))
    canvas.path(edge)
    canvas.fill(
      Gradient(
        from: Point(x: 0, y: edge.y), to: Point(x: 0, y: edge.maxY), [Color(0x000000, 0), dark]))
    canvas.path(
      Rect(x: rect.x, y: edge.maxY, width: rect.width, height: rect.height - edge.height))
    canvas.fill(dark)
  }

  /// Draws a box without its content.
  func draw(_ box: TemplateBox, on canvas: Canvas, _ rect: Rect) {
    let isDark = style.appearance == .dark
    canvas.path(rect, radius: box.corner)
    if let gradient = box.gradient {
      canvas.fill(Gradient(gradient, in: rect))
    } else if let fill = box.background[isDark] {
      canvas.fill(Color(fill))
    } else {
      canvas.clearPath()
    }
    border(box.border, corner: box.corner, on: canvas, rect)
  }

  /// Draws the line within the edge of a picture or a box.
  private func border(
    _ border: TemplateBorder, corner: Double, on canvas: Canvas, _ rect: Rect
  ) {
    guard border.width > 0, let color = border.colors[style.appearance == .dark] else { return }
    canvas.path(rect.inset(by: border.width / 2), radius: max(0, corner - border.width / 2))
    canvas.stroke(Color(color), width: border.width)
  }

  /// Draws the dots of pages as `UIPageControl` does, the first at the leading side.
  func indicator(count: Int, page: Int, on canvas: Canvas, _ rect: Rect, _ color: Color) {
    let step = min(16, rect.width / Double(count + 1))
    var faint = color
    faint.alpha *= 0.3
    for number in 0..<count {
      let offset = (Double(number) - Double(count - 1) / 2) * step
      let x = rect.midX + (style.isRightToLeft ? -offset : offset)
      canvas.path(circleAt: Point(x: x, y: rect.midY), radius: 3.5)
      canvas.fill(number == page ? color : faint)
    }
  }

  /// Draws a star of a rating, or the picture that stands for it.
  func star(
    isChosen: Bool, icon: TemplateMedia?, of expanded: ExpandedTemplate, on canvas: Canvas,
    _ rect: Rect, _ color: Color
  ) {
    if var icon, expanded.files[icon.id] != nil {
      icon.fit = .fit
      return picture(icon, of: expanded, on: canvas, rect.inset(by: 4))
    }
    let radius = min(rect.width, rect.height) * 0.46
    let points = (0..<10).map { corner in
      // The inner corners of a five-pointed star whose edges are straight, a little rounder as in SF Symbols.
      let length = corner.isMultiple(of: 2) ? radius : radius * 0.44
      let turn = Self.turns[corner]
      return Point(x: rect.midX + length * turn.x, y: rect.midY + radius * 0.06 + length * turn.y)
    }
    canvas.path(polygon: points)
    if isChosen { canvas.fillAndKeepPath(color) }
    canvas.stroke(color, width: 2)
  }

  /// The directions of the ten corners of a star, clockwise from the top.
  private static let turns: [Point] = [
    Point(x: 0, y: -1), Point(x: 0.587_785, y: -0.809_017), Point(x: 0.951_057, y: -0.309_017),
    Point(x: 0.951_057, y: 0.309_017), Point(x: 0.587_785, y: 0.809_017), Point(x: 0, y: 1),
    Point(x: -0.587_785, y: 0.809_017), Point(x: -0.951_057, y: 0.309_017),
    Point(x: -0.951_057, y: -0.309_017), Point(x: -0.587_785, y: -0.809_017),
  ]

  /// Draws a movie or a sound with the system's button.
  func player(
    _ media: TemplateMedia, poster: TemplateMedia?, of expanded: ExpandedTemplate,
    on canvas: Canvas, _ rect: Rect
  ) {
    let path = poster.flatMap(expanded.picture) ?? expanded.posters[media.id]
    if media.kind == .video || path != nil {
      still(
        path.flatMap { picture($0, longestSide: rect.width * 1.5) }, part: nil, on: canvas, rect)
      return playMark(on: canvas, Point(x: rect.midX, y: rect.midY), radius: 29)
    }
    // Controls of media are not mirrored (Human Interface Guidelines, "Right to left").
    canvas.path(rect)
    canvas.fill(palette.hollow)
    let button = Point(x: rect.x + 38, y: rect.midY)
    playMark(on: canvas, button, radius: 20)
    let track = Rect(x: rect.x + 72, y: rect.midY - 2, width: rect.width - 90, height: 4)
    canvas.path(track, radius: 2)
    canvas.fill(palette.secondary)
  }

  /// Draws the place of a web page: a globe and the page's host.
  func webPage(_ url: String, on canvas: Canvas, _ rect: Rect) {
    canvas.path(rect)
    canvas.fill(palette.hollow)
    let label = type.layout(
      Self.host(of: url), .init(size: 13, weight: 500), width: rect.width - 40, lines: 1)
    let radius = min(26, rect.height * 0.18)
    let centre = Point(x: rect.midX, y: rect.midY - label.height / 2 - 6)
    for (width, color) in [(1.0, palette.secondary), (0.45, palette.secondary)] {
      canvas.path(ellipseAt: centre, width: 2 * radius * width, height: 2 * radius)
      canvas.stroke(color, width: 1.5)
    }
    canvas.path(polygon: [
      Point(x: centre.x - radius, y: centre.y), Point(x: centre.x + radius, y: centre.y),
    ])
    canvas.stroke(palette.secondary, width: 1.5)
    label.drawLabel(
      on: canvas, at: Point(x: rect.midX - label.width / 2, y: centre.y + radius + 10),
      palette.secondary)
  }

  private static func host(of url: String) -> String {
    let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
    return String(rest.prefix { !"/?#".contains($0) })
  }

  /// The last component of a URL's path, or the URL itself if its path is empty.
  private static func fileName(of url: String) -> String {
    url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? url
  }
}

extension Color {
  init(_ color: TemplateColor) {
    red = Double(color.red) / 255
    green = Double(color.green) / 255
    blue = Double(color.blue) / 255
    alpha = Double(color.alpha) / 255
  }
}

extension Gradient {
  /// A template's gradient over a rectangle, from edge to edge, in the way of `CAGradientLayer`.
  convenience init(_ gradient: TemplateGradient, in rect: Rect) {
    let colors = [Color(gradient.from), Color(gradient.to)]
    let centre = Point(x: rect.midX, y: rect.midY)
    guard !gradient.isRadial else {
      self.init(at: centre, width: rect.width, height: rect.height, colors)
      return
    }
    let angle = gradient.degrees * .pi / 180
    let (x, y) = (cos(angle) * rect.width / 2, -sin(angle) * rect.height / 2)
    self.init(
      from: Point(x: centre.x - x, y: centre.y - y),
      to: Point(x: centre.x + x, y: centre.y + y), colors)
  }
}
