import PushPayload

/// The rules that the carousels in several vendors' samples share.
extension TemplateRule {
  /// A list of URLs in one string, with commas between them.
  static func urls(separatedByCommasAt path: PayloadPath) -> ItemRule {
    ItemRule(path, media: [MediaField("", kind: .image)]) { $0.separator = "," }
  }

  /// Makes the pages squares with round corners, and without dots below them.
  mutating func makePagesSquare() {
    carousel.defaultAspect = 1
    carousel.defaultSpacing = 10
    carousel.defaultIndicator = false
    look.defaultCorner = 8
  }

  /// The two buttons that move the pages, whose identifiers begin with the category's.
  static func nextAndPrevious(of category: String) -> [TemplateAction] {
    [
      TemplateAction(id: category + ".next", effect: .next),
      TemplateAction(id: category + ".previous", effect: .previous),
    ]
  }
}
