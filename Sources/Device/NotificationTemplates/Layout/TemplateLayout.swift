/// The parts of an expanded template with their places, and the actions that they offer.
///
/// It depends only on a template, a state, an environment and a text measurer. So the view on a phone, the preview and the
/// tests have the same frames.
package struct TemplateLayout: Hashable, Sendable {
  /// The size of the view.
  package var size: TemplateSize
  /// The parts from back to front, which is also VoiceOver's reading order.
  package var elements: [TemplateElement]
  /// The number of pages; 1 if the template has no pages.
  package var pageCount: Int
  /// The page that is shown.
  package var page: Int
  /// The seconds after which the next page follows; `nil` if the pages do not advance by themselves.
  package var advance: Double?
  /// The seconds after which the countdown changes; `nil` if the template has no running countdown.
  package var tick: Double?
  /// The text that VoiceOver announces when the page changes.
  package var announcement: String?
  /// The buttons that have an effect in this state.
  package var actions: [TemplateAction]

  /// The height divided by the width, as `UNNotificationExtensionInitialContentSizeRatio` has it.
  package var ratio: Double { size.width > 0 ? size.height / size.width : 0 }

  /// Returns the effect of a tap at a place: that of the foremost element there that takes taps.
  ///
  /// - Parameters:
  ///   - x: The distance from the left in points.
  ///   - y: The distance from the top in points.
  /// - Returns: The effect; `nil` if no element there takes taps.
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
