import Markup

/// The fields of a form with their labels, help and remarks.
///
/// The composer, the form of a campaign and that of an in-app message are made of them.
struct FormFields: Sendable {
  var form: Form
  var remarks: [ComposePreview.Remark] = []
  /// The prefix of the names on the page, such as that of a variant; the form has the names without it.
  var prefix = ""
  /// The name of the element that gets the focus.
  var focus: String?

  func value(_ name: String) -> String { form[name] ?? "" }

  func line(
    _ name: String, _ title: String, type: StaticString = "text", more: HTML = "",
    after: HTML? = nil, help: String? = nil
  ) -> HTML {
    """
    <label for="\(prefix)\(name)">\(title)</label>
    <input type="\(HTML(stringLiteral: type))" \(attributes(name, hasHelp: help != nil)) \
    value="\(value(name))" autocomplete="off"\(more)>\(after)
    \(self.help(help, of: name))\(remarks(at: name))
    """
  }

  /// A time in the viewer's time zone, with the hidden field in which a script submits its offset from UTC.
  func time(_ name: String, _ title: String, help: String) -> HTML {
    let offset = name + "_offset"
    return line(
      name, title, type: "datetime-local",
      after: "<input type=\"hidden\" name=\"\(prefix)\(offset)\" value=\"\(value(offset))\">",
      help: help)
  }

  func area(_ name: String, _ title: String, rows: Int = 3, help: String? = nil) -> HTML {
    """
    <label for="\(prefix)\(name)">\(title)</label>
    <textarea rows="\(rows)" dir="auto" \(attributes(name, hasHelp: help != nil))>\n\(value(name))</textarea>
    \(self.help(help, of: name))\(remarks(at: name))
    """
  }

  func check(_ name: String, _ title: String) -> HTML {
    """
    <label class="choice"><input type="checkbox" \(attributes(name, hasHelp: false)) value="on"\
    \(" checked", if: !value(name).isEmpty)> \(title)</label>
    \(remarks(at: name))
    """
  }

  func menu(
    _ name: String, _ title: String, choices: [(value: String, title: String)]
  ) -> HTML {
    let chosen = value(name)
    let options = choices.map { choice -> HTML in
      """
      <option value="\(choice.value)"\(" selected", if: choice.value == chosen)>\(choice.title)</option>
      """
    }
    return """
      <label for="\(prefix)\(name)">\(title)</label>
      <select \(attributes(name, hasHelp: false))>\(options)</select>
      \(remarks(at: name))
      """
  }

  func help(_ text: String?, of name: String) -> HTML? {
    text.map { "<p class=\"help\" id=\"\(prefix)\(name)-help\">\($0)</p>" }
  }

  /// The remarks on a field, or those on the whole form if `name` is `nil`.
  func remarks(at name: String?) -> HTML {
    ComposeView.remarks(remarks, at: name.map { prefix + $0 })
  }

  func isRefused(_ name: String) -> Bool {
    remarks.contains { $0.place == prefix + name && $0.severity == ComposePreview.refusal }
  }

  func attributes(_ name: String, hasHelp: Bool) -> HTML {
    let id = prefix + name
    return """
      id="\(id)" name="\(id)" aria-describedby="\(hasHelp ? "\(id)-help " : "")\(id)-remarks"\
      \(" aria-invalid=\"true\"", if: isRefused(name))\(autofocus(id))
      """
  }

  func autofocus(_ id: String) -> HTML? { id == focus ? " autofocus" : nil }
}
