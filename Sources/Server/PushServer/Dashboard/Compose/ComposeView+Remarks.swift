import Markup

/// The remarks on a form: at their fields, and as a summary of what has to be changed.
extension ComposeView {
  /// The remarks on the field with a name, or those on the whole form if `place` is `nil`.
  static func remarks(_ all: [ComposePreview.Remark], at place: String?) -> HTML {
    let items = remarks(all.filter { $0.place == place })
    guard let place else { return "\(items)" }
    return "<div id=\"\(place)-remarks\" data-remarks=\"\(place)\">\(items)</div>"
  }

  static func remarks(_ all: [ComposePreview.Remark]) -> [HTML] {
    all.map { remark in
      """
      <div class="finding \(remark.severity == ComposePreview.refusal ? "error" : remark.severity)">\
      <strong>\(remark.message)</strong>\(remark.advice ?? "")</div>
      """
    }
  }

  /// The refusals among some remarks as a summary with the focus and links to the fields; `consequence` says that
  /// nothing was sent or saved.
  static func refusals(_ remarks: [ComposePreview.Remark], saying consequence: String) -> HTML? {
    let items = remarks.filter { $0.severity == ComposePreview.refusal }
      .map { remark -> HTML in
        guard let place = remark.place else { return "<li>\(remark.message)</li>" }
        // The rows of buttons have one place for remarks.
        let buttons = ComposeField.buttons.rawValue
        let id =
          place.hasSuffix(buttons) ? place.dropLast(buttons.count) + "button0_title" : place[...]
        return "<li><a href=\"#\(id)\">\(remark.message)</a></li>"
      }
    guard !items.isEmpty else { return nil }
    return """
      <div class="alert" role="alert" id="refusals" tabindex="-1" autofocus><p>\(consequence) Change this first:</p>
      <ul>\(items)</ul></div>
      """
  }
}
