import Markup

/// Form fields with their labels, help and remarks.
extension ComposeView {
  func line(
    _ field: ComposeField, type: StaticString = "text", list: String? = nil,
    more: HTML = "", help: String? = nil, offset: Bool = false
  ) -> HTML {
    """
    <label for="\(field.rawValue)">\(field.title)</label>
    <input type="\(HTML(stringLiteral: type))" \(attributes(field, help: help)) \
    value="\(form[field])" autocomplete="off"\(list.map { " list=\"\($0)\"" as HTML })\(more)>
    \(offset ? offsetInput(field) : "")\
    \(help.map { "<p class=\"help\" id=\"\(field.rawValue)-help\">\($0)</p>" as HTML })\
    \(remarks(field))
    """
  }

  /// The hidden field in which a script submits the offset of a time from UTC.
  private func offsetInput(_ field: ComposeField) -> HTML {
    let name = field.rawValue + "_offset"
    return "<input type=\"hidden\" name=\"\(name)\" value=\"\(form.form[name] ?? "")\">"
  }

  func area(_ field: ComposeField, help: String? = nil) -> HTML {
    """
    <label for="\(field.rawValue)">\(field.title)</label>
    <textarea rows="3" dir="auto" \(attributes(field, help: help))>\n\(form[field])</textarea>
    \(help.map { "<p class=\"help\" id=\"\(field.rawValue)-help\">\($0)</p>" as HTML })\
    \(remarks(field))
    """
  }

  func check(_ field: ComposeField) -> HTML {
    """
    <label class="choice"><input type="checkbox" \(attributes(field)) value="on"\
    \(" checked", if: !form[field].isEmpty)> \(field.title)</label>
    \(remarks(field))
    """
  }

  func option(_ title: String, value: String, selected: String) -> HTML {
    "<option value=\"\(value)\"\(" selected", if: value == selected)>\(title)</option>"
  }

  func attributes(_ field: ComposeField, help: String? = nil) -> HTML {
    let name = field.rawValue
    let isRefused = preview.remarks.contains {
      $0.place == name && $0.severity == ComposePreview.refusal
    }
    let described: HTML =
      help == nil
      ? " aria-describedby=\"\(name)-remarks\""
      : " aria-describedby=\"\(name)-help \(name)-remarks\""
    return """
      id="\(name)" name="\(name)"\(described)\
      \(" aria-invalid=\"true\"", if: isRefused)
      """
  }

  /// The remarks on a field, or those on the whole form if `field` is `nil`.
  func remarks(_ field: ComposeField?) -> HTML {
    // An empty new form has missing fields, but its user has not made a mistake yet.
    Self.remarks(isFresh ? [] : preview.remarks, at: field?.rawValue)
  }

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

  /// The list of mistakes that prevent the form from being sent, with links to the fields.
  var refusals: HTML? { Self.refusals(preview.remarks, saying: "Nothing was sent.") }

  /// The refusals among some remarks as a summary with the focus; `consequence` says that nothing was sent
  /// or saved.
  static func refusals(_ remarks: [ComposePreview.Remark], saying consequence: String) -> HTML? {
    let items = remarks.filter { $0.severity == ComposePreview.refusal }
      .map { remark -> HTML in
        guard let place = remark.place else { return "<li>\(remark.message)</li>" }
        // The rows of buttons have one place for remarks.
        let id = place == ComposeField.buttons.rawValue ? "button0_title" : place
        return "<li><a href=\"#\(id)\">\(remark.message)</a></li>"
      }
    guard !items.isEmpty else { return nil }
    return """
      <div class="alert" role="alert" id="refusals" tabindex="-1" autofocus><p>\(consequence) Change this first:</p>
      <ul>\(items)</ul></div>
      """
  }
}
