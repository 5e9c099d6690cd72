/// One page of a list.
package struct Page<Element: Sendable>: Sendable {
  package var elements: [Element]
  /// The cursor of the next page; `nil` if this is the last page.
  package var cursor: String?
  /// The number of elements on all pages.
  package var total: Int

  package init(_ elements: [Element], cursor: String?, total: Int) {
    self.elements = elements
    self.cursor = cursor
    self.total = total
  }
}
