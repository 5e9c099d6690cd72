import NotificationTemplates

extension ComposeForm {
  /// A change of the pages that a button makes; pages are numbered from 0.
  enum PageChange: Equatable, Sendable {
    case add
    case remove(Int)
    case moveUp(Int)
    case moveDown(Int)

    /// Parses the value of a button: `page-add`, `page-up-2`.
    init?(action: String) {
      let parts = action.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.first == "page", (2...3).contains(parts.count) else { return nil }
      let page = parts.count == 3 ? Int(parts[2]) : nil
      switch (parts[1], page) {
      case ("add", nil): self = .add
      case ("remove", let page?): self = .remove(page)
      case ("up", let page?): self = .moveUp(page)
      case ("down", let page?): self = .moveDown(page)
      default: return nil
      }
    }
  }

  /// Adds, removes or moves a page.
  ///
  /// A change that the kind does not allow, such as one page too many, does nothing.
  ///
  /// - Returns: The identifier of the element that gets the focus; `nil` if nothing has changed.
  mutating func apply(_ change: PageChange) -> String? {
    guard let kind = template?.kind, let range = kind.itemCount else { return nil }
    var pages = (0..<pageCount).map { page in
      form.fields.compactMap { field -> (rest: String, value: String)? in
        guard let place = TemplateField.page(ofName: field.name), place.page == page else {
          return nil
        }
        return (place.rest, field.value)
      }
    }
    let focus: String
    switch change {
    case .add:
      guard pages.count < range.upperBound else { return nil }
      pages.append([])
      focus = "page\(pages.count - 1)_media_url"
    case .remove(let page):
      guard pages.indices.contains(page) else { return nil }
      pages.remove(at: page)
      // The form always shows at least the pages that the kind requires.
      focus = page < max(pages.count, range.lowerBound) ? "page\(page)_remove" : "page-add"
    case .moveUp(let page):
      guard pages.indices.contains(page), page > 0 else { return nil }
      pages.swapAt(page, page - 1)
      focus = page == 1 ? "page0_down" : "page\(page - 1)_up"
    case .moveDown(let page):
      guard pages.indices.contains(page), page < pages.count - 1 else { return nil }
      pages.swapAt(page, page + 1)
      focus = page + 1 == pages.count - 1 ? "page\(page + 1)_up" : "page\(page + 1)_down"
    }
    removeFields { TemplateField.page(ofName: $0) != nil }
    set("pages", String(pages.count))
    for (page, fields) in pages.enumerated() {
      for field in fields { append("page\(page)_\(field.rest)", field.value) }
    }
    return focus
  }
}
