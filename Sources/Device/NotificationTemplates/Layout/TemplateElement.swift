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
    /// A button with its title, which has ``inset`` at each side. The color is transparent where a box is behind it.
    case button(TemplateLabel, TemplateColor)
    /// A box around a countdown, or that of a button which has a look of its own.
    case box(TemplateBox)
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
  /// The opacity of the black veil.
  package static let veilOpacity = 0.6

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
