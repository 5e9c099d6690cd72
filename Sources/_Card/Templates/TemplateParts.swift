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
    let place =
      media.fit == .fit && drawn != nil ? drawn?.place(fitting: rect) ?? rect : rect
    let border = media.border.colors[style.appearance == .dark]
    let width = border == nil ? 0 : media.border.width
    canvas.path(place, radius: media.corner)
    canvas.clipped {
      if media.kind == .video || media.kind == .audio {
        still(drawn, part: nil, on: canvas, place)
        playMark(
          on: canvas, Point(x: place.midX, y: place.midY),
          radius: min(29, min(place.width, place.height) * 0.3))
      } else if let drawn {
        drawn.draw(on: canvas, filling: place)
      } else {
        let name = place.width > 150 ? Self.fileName(of: media.url) : ""
        emptyPlace(name, on: canvas, place)
      }
    }
    if let border, width > 0 {
      canvas.path(place.inset(by: width / 2), radius: max(0, media.corner - width / 2))
      canvas.stroke(Colour(border), width: width)
    }
  }

  /// Draws a veil that gets dark above the text, which begins a margin below its edge.
  func veil(on canvas: Canvas, _ rect: Rect) {
    let dark = Colour(0x000000, 0.6)
    let edge = Rect(x: rect.x, y: rect.y, width: rect.width, height: min(14, rect.height))
    canvas.path(edge)
    canvas.fill(
      Gradient(
        from: Point(x: 0, y: edge.y), to: Point(x: 0, y: edge.maxY), [Colour(0x000000, 0), dark]))
    canvas.path(
      Rect(x: rect.x, y: edge.maxY, width: rect.width, height: rect.height - edge.height))
    canvas.fill(dark)
  }

  /// Draws a button or a box without its title.
  func draw(_ surface: TemplateSurface, on canvas: Canvas, _ rect: Rect) {
    canvas.path(rect, radius: surface.corner)
    if let gradient = surface.gradient {
      canvas.fill(Gradient(gradient, in: rect))
    } else if let fill = surface.fill {
      canvas.fill(Colour(fill))
    } else {
      canvas.clearPath()
    }
    guard let border = surface.border, surface.borderWidth > 0 else { return }
    canvas.path(
      rect.inset(by: surface.borderWidth / 2),
      radius: max(0, surface.corner - surface.borderWidth / 2))
    canvas.stroke(Colour(border), width: surface.borderWidth)
  }

  /// Draws the dots of pages as `UIPageControl` does, the first at the leading side.
  func indicator(count: Int, page: Int, on canvas: Canvas, _ rect: Rect, _ colour: Colour) {
    let step = min(16, rect.width / Double(count + 1))
    var faint = colour
    faint.alpha *= 0.3
    for number in 0..<count {
      let offset = (Double(number) - Double(count - 1) / 2) * step
      let x = rect.midX + (style.isRightToLeft ? -offset : offset)
      canvas.path(circleAt: Point(x: x, y: rect.midY), radius: 3.5)
      canvas.fill(number == page ? colour : faint)
    }
  }

  /// Draws a star of a rating, or the picture that stands for it.
  func star(
    isChosen: Bool, _ icon: TemplateMedia?, of expanded: ExpandedTemplate, on canvas: Canvas,
    _ rect: Rect, _ colour: Colour
  ) {
    if var icon, expanded.files[icon.id] != nil {
      icon.fit = .fit
      return picture(icon, of: expanded, on: canvas, rect.inset(by: 4))
    }
    let radius = min(rect.width, rect.height) * 0.38
    let points = (0..<10).map { corner in
      // The inner corners of a five-pointed star whose edges are straight, a little rounder as in SF Symbols.
      let length = corner.isMultiple(of: 2) ? radius : radius * 0.44
      let turn = Self.turns[corner]
      return Point(x: rect.midX + length * turn.x, y: rect.midY + radius * 0.06 + length * turn.y)
    }
    canvas.path(polygon: points)
    if isChosen { canvas.fillAndKeepPath(colour) }
    canvas.stroke(colour, width: 2)
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
    for (width, colour) in [(1.0, palette.secondary), (0.45, palette.secondary)] {
      canvas.path(ellipseAt: centre, width: 2 * radius * width, height: 2 * radius)
      canvas.stroke(colour, width: 1.5)
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

  /// The last component of a URL's path, or the URL itself where it has none.
  private static func fileName(of url: String) -> String {
    url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? url
  }
}

extension Colour {
  init(_ color: TemplateColor) {
    red = Double(color.red) / 255
    green = Double(color.green) / 255
    blue = Double(color.blue) / 255
    alpha = Double(color.alpha) / 255
  }
}

extension Gradient {
  /// A template's gradient over a rectangle, from edge to edge in its direction.
  convenience init(_ gradient: TemplateGradient, in rect: Rect) {
    let colours = [Colour(gradient.from), Colour(gradient.to)]
    let centre = Point(x: rect.midX, y: rect.midY)
    guard !gradient.isRadial else {
      self.init(at: centre, radius: max(rect.width, rect.height) / 2, colours)
      return
    }
    let angle = gradient.degrees * .pi / 180
    let (x, y) = (cos(angle), -sin(angle))
    let half = (abs(x) * rect.width + abs(y) * rect.height) / 2
    self.init(
      from: Point(x: centre.x - x * half, y: centre.y - y * half),
      to: Point(x: centre.x + x * half, y: centre.y + y * half), colours)
  }
}
