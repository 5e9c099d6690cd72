package import NotificationCards
package import NotificationTemplates

extension ExpandedTemplate {
  /// A state in which a template is drawn, and the time.
  struct Face {
    var state = TemplateState()
    var now: Double
  }

  /// The faces of the template that are drawn side by side: each page of a carousel, each product of a catalog, a timer
  /// before and after its end, a question and the feedback after the answer.
  var faces: [Face] {
    let first = Face(now: now)
    switch template.content {
    case .carousel, .catalog:
      return template.pages.indices.map { page in
        var face = first
        face.state.page = page
        return face
      }
    case .timer(let timer):
      return timer.end > now ? [first, Face(now: timer.end)] : [first]
    case .input(let question), .poll(let question):
      guard question.feedbackTexts != TemplateTexts() || question.feedbackMedia != nil else {
        return [first]
      }
      var answered = first
      answered.state.isAnswered = true
      return [first, answered]
    case .text, .banner, .rating, .icons, .actions, .media, .web: return [first]
    }
  }

  /// The view and the person's settings, as a style has them.
  ///
  /// - Parameters:
  ///   - style: The look of the card.
  ///   - now: The time in seconds since 1970.
  ///   - size: The size of a picture file in pixels.
  /// - Returns: The environment with the sizes of the pictures that are ready.
  func environment(
    _ style: CardStyle, now: Double, sizeOfPicture size: (String) -> (width: Int, height: Int)?
  ) -> TemplateEnvironment {
    var environment = TemplateEnvironment(width: style.width - 2 * CardStyle.margin, now: now)
    environment.textSize = style.textSize
    environment.isRightToLeft = style.isRightToLeft
    environment.isDark = style.appearance == .dark
    // The language of the built-in words: a phone from right to left has another than English.
    environment.language = style.isRightToLeft ? "ar" : "en"
    environment.showsWebPages = showsWebPages
    for media in template.media {
      guard let path = picture(of: media), let size = size(path) else { continue }
      environment.pictureSizes[media.id] = TemplateSize(
        width: Double(size.width), height: Double(size.height))
    }
    return environment
  }

  /// The layout of the first face, as it is drawn in a style.
  ///
  /// - Parameter style: The look of the card.
  /// - Returns: The layout, with the sizes of the pictures that are ready.
  package func layout(_ style: CardStyle = CardStyle()) -> TemplateLayout {
    let environment = environment(style, now: now, sizeOfPicture: Bitmap.pixelSize)
    return TemplateLayout(
      template, in: environment, measuring: PangoTextMeasurer(fontFamily: style.fontFamily))
  }

  /// The titles of the buttons below a layout.
  func buttons(in layout: TemplateLayout) -> [String] {
    let titles = Dictionary(buttons.map { ($0.id, $0.title) }) { first, _ in first }
    return layout.buttons(of: template, registered: buttons.map(\.id)).compactMap { button in
      switch button {
      case .registered(let id): titles[id]
      case .named(_, let title): title
      }
    }
  }
}
