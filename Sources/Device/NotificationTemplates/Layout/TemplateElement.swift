/// One part of an expanded template: its drawing, its place, and its words for VoiceOver.
package struct TemplateElement: Hashable, Sendable {
  /// The drawing of an element.
  package enum Content: Hashable, Sendable {
    /// A surface in one color.
    case fill(TemplateColor)
    /// A dark veil over a picture, so that text on it can be read.
    case veil
    case picture(TemplateMedia)
    case text(TemplateLabel)
    /// A button with its title, which has ``inset`` at each side. The color is transparent if a box is behind it.
    case button(TemplateLabel, TemplateColor)
    /// A box around a countdown, or of a button that has its own look.
    case box(TemplateBox)
    /// The dots of pages.
    case indicator(count: Int, page: Int, TemplateColor)
    /// A star of a rating.
    case star(isChosen: Bool, icon: TemplateMedia?, TemplateColor)
    /// A movie or sound.
    case player(TemplateMedia, poster: TemplateMedia?)
    case webPage(String)
  }

  /// The effect of a tap.
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
  /// The effect of a tap; `nil` if the element ignores taps.
  package var tap: Tap?
  /// The page to which the element belongs; `nil` if it stays when the page changes.
  package var page: Int?
  /// The words and actions for VoiceOver; `nil` if VoiceOver skips the element.
  package var accessibility: TemplateAccessibility?
}

/// A text as it is drawn.
package struct TemplateLabel: Hashable, Sendable {
  package var text: TemplateText
  package var font: TemplateFont
  package var color: TemplateColor
  /// The most lines; `nil` if the number is not limited.
  package var lines: Int?
  package var isCentered = false
}

/// The words, traits and actions of an element for VoiceOver.
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
