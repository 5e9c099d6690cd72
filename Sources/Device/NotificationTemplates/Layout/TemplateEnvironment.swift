/// The properties of the view that shows a template, and the settings of the person who looks at it.
package struct TemplateEnvironment: Hashable, Sendable {
  /// The width of the view in points.
  package var width: Double
  /// Whether the horizontal size class is regular, as on an iPad.
  package var isRegular = false
  package var textSize = TemplateTextSize.large
  package var isRightToLeft = false
  package var isDark = false
  /// Whether the person turned Reduce Motion on, so that nothing moves by itself.
  package var reducesMotion = false
  /// The language of the built-in words, as in `de` or `zh-Hans`.
  package var language = "en"
  /// The present time in seconds since 1970.
  package var now: Double
  /// The sizes of pictures and movies by the identifiers of their media.
  package var pictureSizes: [String: TemplateSize] = [:]
  /// Whether web pages are shown; they need the network and much memory.
  package var showsWebPages = false

  package init(width: Double, now: Double) {
    self.width = width
    self.now = now
  }
}

/// The state of a template, as a person's actions have changed it.
package struct TemplateState: Hashable, Sendable {
  /// The page of a carousel, or the chosen product of a catalog.
  package var page = 0
  /// The chosen star, from 1.
  package var rating: Int?
  /// Whether an answer was given.
  package var isAnswered = false

  package init() {}
}
