/// Where the parts of an expanded template are, and what can be done with them.
///
/// A template, a state, an environment and a measurer of texts decide it, so that the view on a phone, the preview and
/// the tests have the same frames.
package struct TemplateLayout: Hashable, Sendable {
  /// The size of the view.
  package var size: TemplateSize
  /// The parts from back to front, which is also the order in which VoiceOver reads those that it reads.
  package var elements: [TemplateElement]
  /// The number of pages; 1 where the template has none.
  package var pageCount: Int
  /// The page that is shown.
  package var page: Int
  /// The seconds after which the next page follows; `nil` where nothing moves by itself.
  package var advance: Double?
  /// The seconds after which the countdown changes; `nil` where there is none.
  package var tick: Double?
  /// What VoiceOver announces when the page changes.
  package var announcement: String?
  /// The buttons that have an effect in this state.
  package var actions: [TemplateAction]

  /// The height divided by the width, as `UNNotificationExtensionInitialContentSizeRatio` has it.
  package var ratio: Double { size.width > 0 ? size.height / size.width : 0 }

  /// What a tap at a place does: that of the foremost element there which takes taps.
  ///
  /// - Parameters:
  ///   - x: The distance from the left in points.
  ///   - y: The distance from the top in points.
  /// - Returns: What the tap does; `nil` for nothing.
  package func tap(atX x: Double, y: Double) -> TemplateElement.Tap? {
    elements.last { $0.tap != nil && $0.frame.contains(x: x, y: y) }?.tap
  }

  /// The elements that VoiceOver reads, in order.
  package var readingOrder: [TemplateElement] { elements.filter { $0.accessibility != nil } }

  package init(
    _ template: NotificationTemplate, state: TemplateState = TemplateState(),
    in environment: TemplateEnvironment, measuring measurer: any TemplateTextMeasurer
  ) {
    var builder = LayoutBuilder(template, state: state, in: environment, measuring: measurer)
    builder.build()
    let count = max(1, template.pages.count)
    size = TemplateSize(width: environment.width, height: builder.y.rounded(.up))
    pageCount = count
    page = builder.page
    elements = builder.elements(height: size.height)
    actions = builder.actions
    if case .carousel(let carousel) = template.content, !environment.reducesMotion,
      carousel.wraps || page < count - 1
    {
      advance = carousel.advance
    }
    tick = builder.tick
    if case .carousel(let carousel) = template.content {
      let text = builder.words.page(page + 1, of: count)
      let title = carousel.pages[page].title?.string ?? carousel.pages[page].media.alt
      announcement = [title, text].compactMap(\.self).joined(separator: ", ")
    }
  }
}
