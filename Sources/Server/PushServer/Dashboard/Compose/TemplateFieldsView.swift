import Markup
import NotificationTemplates
import _HTTPServer

/// The fields of the chosen template in the composer.
///
/// Only the server renders them. `compose.js` fetches this part again when the template or the number of pages
/// changes. Without JavaScript the buttons submit the whole form.
struct TemplateFieldsView {
  var form: ComposeForm
  var remarks: [ComposePreview.Remark] = []
  /// The identifier of the element that gets the focus.
  var focus: String?

  var html: HTML {
    guard let template = form.template else {
      return "<div id=\"template-fields\" data-kind=\"\">\(kept(besides: []))</div>"
    }
    let pages = template.pageFields.isEmpty ? nil : self.pages(template)
    return """
      <div id="template-fields" data-kind="\(template.kind.rawValue)">
      <p class="help">\(template.purpose)</p>
      \(pages)<div class="columns">\(template.fields.map { field($0, inPage: nil) })</div>
      \(kept(besides: names(of: template)))</div>
      """
  }

  /// The answer with only this part of the page.
  var response: HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/html; charset=utf-8")] + WebPage.headers, body: html.bytes)
  }

  // MARK: Pages

  private func pages(_ template: TemplateForm) -> HTML {
    let count = form.pageCount
    let range = template.kind.itemCount ?? 0...0
    let rows = (0..<count).map { page -> HTML in
      let fields = template.pageFields.map { field($0, inPage: page) }
      return """
        <fieldset class="page-row"><legend>Page \(page + 1)</legend>
        <div class="columns">\(fields)</div>
        <div class="row">\(button("up", title: "Move up", page: page, if: page > 0))\
        \(button("down", title: "Move down", page: page, if: page < count - 1))\
        \(button("remove", title: "Remove", page: page))</div></fieldset>

        """
    }
    return """
      <input type="hidden" name="pages" value="\(form.form["pages"] ?? String(count))">
      \(rows)<p class="row"><button id="page-add" name="action" value="page-add"\
      \(" disabled", if: count == range.upperBound)\(autofocus("page-add"))>Add a page</button>
      <span class="help">\(range.lowerBound) to \(range.upperBound) pages, each with a picture.</span></p>

      """
  }

  private func button(
    _ action: String, title: String, page: Int, if isEnabled: Bool = true
  ) -> HTML {
    let id = "page\(page)_\(action)"
    return """
      <button id="\(id)" name="action" value="page-\(action)-\(page)"\
      \(" disabled", if: !isEnabled)\(autofocus(id))>\(title)\
      <span class="hidden"> page \(page + 1)</span></button>
      """
  }

  private func autofocus(_ id: String) -> HTML? { id == focus ? " autofocus" : nil }

  // MARK: Fields

  private func field(_ field: TemplateField, inPage page: Int?) -> HTML {
    let name = field.name(inPage: page)
    let help = field.help.map { help -> HTML in
      "<p class=\"help\" id=\"\(name)-help\">\(help)</p>"
    }
    return """
      <div><label for="\(name)">\(field.label)</label>
      \(control(field, name))\(help)\(ComposeView.remarks(remarks, at: name))</div>

      """
  }

  private func control(_ field: TemplateField, _ name: String) -> HTML {
    let value = form.form[name] ?? ""
    let attributes = attributes(name, hasHelp: field.help != nil)
    switch field.control {
    case .line: return "<input \(attributes) value=\"\(value)\" autocomplete=\"off\">"
    case .area, .lines: return "<textarea rows=\"2\" \(attributes)>\n\(value)</textarea>"
    case .number(let step, let range):
      return """
        <input type="number" \(attributes) value="\(value)" step="\(HTML(stringLiteral: step))" \
        min="\(Self.text(range.lowerBound))" max="\(Self.text(range.upperBound))">
        """
    case .time:
      return """
        <input type="datetime-local" \(attributes) value="\(value)">\
        <input type="hidden" name="\(name)_offset" value="\(form.form[name + "_offset"] ?? "")">
        """
    case .menu(let words):
      let options = words.map { word, title -> HTML in
        "<option value=\"\(word)\"\(" selected", if: word == value)>\(title)</option>"
      }
      return "<select \(attributes)>\(options)</select>"
    case .media:
      return """
        <input type="url" \(attributes) value="\(value)" placeholder="https://…" autocomplete="off">
        <input type="file" name="\(name)_file" aria-label="Upload: \(field.label)" \
        accept="image/jpeg,image/png,image/gif,video/mp4,audio/mpeg,audio/mp4,audio/wav,audio/aiff">
        <p role="status" class="muted" hidden></p>
        """
    }
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? number.description
  }

  private func attributes(_ name: String, hasHelp: Bool) -> HTML {
    let isRefused = remarks.contains {
      $0.place == name && $0.severity == ComposePreview.refusal
    }
    return """
      id="\(name)" name="\(name)" aria-describedby="\(hasHelp ? "\(name)-help " : "")\(name)-remarks"\
      \(" aria-invalid=\"true\"", if: isRefused)\(autofocus(name))
      """
  }

  // MARK: Fields of other kinds

  private func names(of template: TemplateForm) -> Set<String> {
    var names = template.fields.map { $0.name() }
    for page in 0..<form.pageCount { names += template.pageFields.map { $0.name(inPage: page) } }
    return Set(
      names + names.map { $0 + "_offset" } + (template.pageFields.isEmpty ? [] : ["pages"]))
  }

  /// The values entered for another kind, which are there again if that kind is chosen.
  private func kept(besides shown: Set<String>) -> [HTML] {
    form.form.fields.filter { field in
      !field.value.isEmpty && TemplateField.isPart(field.name) && !shown.contains(field.name)
    }.map { field in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
    }
  }
}

extension ComposeView {
  /// The card with the template of the expanded notification.
  var expanded: HTML {
    let kinds = TemplateKind.allCases.map(TemplateForm.of)
    let chosen = form.template?.kind.rawValue ?? ""
    let options = kinds.map { option($0.title, value: $0.kind.rawValue, selected: chosen) }
    return """
      <section class="card push-only" id="expanded"><h2>Expanded notification</h2>
      <p class="help" id="template-help">What people see who expand the notification, drawn by the app's content \
      extension. Phones without it show the fallback: the message and its media above, and no \
      buttons.</p>
      <label for="template">Template</label>
      <select \(attributes(.template, help: ""))>\(option("None", value: "", selected: chosen))\(options)</select>
      <noscript><button name="action" value="preview">Show its fields</button></noscript>
      \(remarks(.template))
      \(TemplateFieldsView(form: form, remarks: isFresh ? [] : preview.remarks, focus: focus).html)
      </section>
      """
  }
}
