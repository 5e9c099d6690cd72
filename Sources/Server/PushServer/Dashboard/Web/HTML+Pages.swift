import Markup

extension HTML {
  /// The links below a list: to its first page and to its next one.
  ///
  /// - Parameters:
  ///   - first: The address of the first page; `nil` on the first page.
  ///   - next: The address of the next page; `nil` on the last page.
  /// - Returns: The links that there are, without an element around them.
  static func pages(first: String?, next: String?) -> HTML {
    let links = [(first, "First page"), (next, "Next page")].compactMap { address, title -> HTML? in
      address.map { "<a class=\"button\" href=\"\($0)\">\(title)</a>" }
    }
    return "\(links)"
  }
}
