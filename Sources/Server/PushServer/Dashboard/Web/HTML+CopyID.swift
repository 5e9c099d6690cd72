import Markup

extension HTML {
  /// An id behind a disclosure, which a script also copies.
  ///
  /// People need it for a call of the API; `name` is the object's.
  static func copyID(_ id: String, of name: String) -> HTML {
    """
    <details class="copy-id"><summary>Copy ID<span class="hidden"> of \(name)</span></summary>\
    <code>\(id)</code></details>
    """
  }
}
