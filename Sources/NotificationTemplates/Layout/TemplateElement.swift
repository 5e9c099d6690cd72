/// One part of an expanded template: what is drawn where, and what VoiceOver says of it.
package struct TemplateElement: Hashable, Sendable {
  /// What is drawn.
  package enum Content: Hashable, Sendable {
    /// A surface in one color.
    case fill(TemplateColor)
    /// A dark veil over a picture, on which text can be read.
    case veil
    case picture(TemplateMedia)
    case text(TemplateLabel)
    /// A button with its title, which has ``inset`` at each side.
    case button(TemplateLabel, TemplateSurface)
    /// A box around a countdown.
    case box(TemplateSurface)
    /// The dots of pages.
    case indicator(count: Int, page: Int, TemplateColor)
    /// A star of a rating.
    case star(isChosen: Bool, icon: TemplateMedia?, TemplateColor)
    /// A movie or sound.
    case player(TemplateMedia, poster: TemplateMedia?)
    case webPage(String)
  }

  /// What a tap does.
  package enum Tap: Hashable, Sendable {
    case open(String?)
    case next
    case previous
    /// Shows a page of a carousel or a product of a catalog.
    case page(Int)
    case rate(Int)
    case choose(String)
    case submit
  }

  /// The space at each side of a button's title, in points.
  package static let inset = 8.0

  package var content: Content
  /// The place in the view.
  package var frame: TemplateRect
  /// What a tap does; `nil` for nothing.
  package var tap: Tap?
  /// The page to which the element belongs; `nil` where it stays.
  package var page: Int?
  /// What VoiceOver says; `nil` where the element is silent.
  package var accessibility: TemplateAccessibility?
}

/// A text as it is drawn.
package struct TemplateLabel: Hashable, Sendable {
  package var text: TemplateText
  package var font: TemplateFont
  package var color: TemplateColor
  /// The most lines; `nil` for any number.
  package var lines: Int?
  package var isCentered = false
}

/// The look of a button or a box in one appearance.
package struct TemplateSurface: Hashable, Sendable {
  /// The color of the surface; `nil` for none.
  package var fill: TemplateColor?
  /// What is drawn in place of the color.
  package var gradient: TemplateGradient?
  package var border: TemplateColor?
  /// The thickness of the border in points.
  package var borderWidth = 0.0
  /// The radius of the corners in points.
  package var corner = 0.0

  /// Whether anything is drawn.
  var isVisible: Bool { fill != nil || gradient != nil || (border != nil && borderWidth > 0) }

  /// The colors on which a text stands, each over the color behind the surface.
  func backgrounds(over background: TemplateColor) -> [TemplateColor] {
    if let gradient { return [gradient.from.over(background), gradient.to.over(background)] }
    return [fill?.over(background) ?? background]
  }
}

/// What VoiceOver says of an element, and what it offers.
package struct TemplateAccessibility: Hashable, Sendable {
  /// A trait of VoiceOver.
  package enum Trait: Hashable, Sendable {
    case header, image, button, adjustable, updatesFrequently, selected
  }

  /// A custom action of VoiceOver.
  package struct Action: Hashable, Sendable {
    package var name: String
    package var tap: TemplateElement.Tap
  }

  package var label: String
  package var value: String?
  package var traits: Set<Trait> = []
  package var actions: [Action] = []
}
