import Markup

/// Fields with their labels, and what there is to say of each right below it.
extension ComposeView {
  func line(
    _ field: ComposeField, _ label: String, type: StaticString = "text", list: String? = nil,
    more: HTML = "", help: String? = nil, offset: Bool = false
  ) -> HTML {
    """
    <label for="\(field.rawValue)">\(label)</label>
    <input type="\(HTML(stringLiteral: type))" \(attributes(field, help: help)) \
    value="\(form[field])" autocomplete="off"\(list.map { " list=\"\($0)\"" as HTML })\(more)>
    \(offset ? zone(field) : "")\
    \(help.map { "<p class=\"help\" id=\"\(field.rawValue)-help\">\($0)</p>" as HTML })\
    \(remarks(field))
    """
  }

  /// In which zone the time was typed, which a script says.
  private func zone(_ field: ComposeField) -> HTML {
    let name = field.rawValue + "_offset"
    return "<input type=\"hidden\" name=\"\(name)\" value=\"\(form.form[name] ?? "")\">"
  }

  func area(_ field: ComposeField, _ label: String, help: String? = nil) -> HTML {
    """
    <label for="\(field.rawValue)">\(label)</label>
    <textarea rows="3" \(attributes(field, help: help))>\n\(form[field])</textarea>
    \(help.map { "<p class=\"help\" id=\"\(field.rawValue)-help\">\($0)</p>" as HTML })\
    \(remarks(field))
    """
  }

  func check(_ field: ComposeField, _ label: String) -> HTML {
    """
    <label class="choice"><input type="checkbox" \(attributes(field)) value="on"\
    \(" checked", if: !form[field].isEmpty)> \(label)</label>
    \(remarks(field))
    """
  }

  func option(_ value: String, _ title: String, _ chosen: String) -> HTML {
    "<option value=\"\(value)\"\(" selected", if: value == chosen)>\(title)</option>"
  }

  func attributes(_ field: ComposeField, help: String? = nil) -> HTML {
    let name = field.rawValue
    let isRefused = preview.remarks.contains {
      $0.field == field && $0.severity == ComposePreview.refusal
    }
    let described: HTML =
      help == nil
      ? " aria-describedby=\"\(name)-remarks\""
      : " aria-describedby=\"\(name)-help \(name)-remarks\""
    return """
      id="\(name)" name="\(name)"\(described)\
      \(" aria-invalid=\"true\"", if: isRefused && !(isFresh && field == .to))
      """
  }

  /// What there is to say of a field; without one, of the whole.
  func remarks(_ field: ComposeField?) -> HTML {
    // Somebody who has not begun has done nothing wrong.
    let found = isFresh ? [] : preview.remarks.filter { $0.field == field }
    let items = found.map { remark -> HTML in
      """
      <div class="finding \(remark.severity == ComposePreview.refusal ? "error" : remark.severity)">\
      <strong>\(remark.message)</strong>\(remark.advice ?? "")</div>
      """
    }
    guard let field else { return "\(items)" }
    return "<div id=\"\(field.rawValue)-remarks\" data-remarks=\"\(field.rawValue)\">\(items)</div>"
  }
}
