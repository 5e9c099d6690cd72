import Markup

/// The parts of the composer's page for templates.
extension ComposeView {
  var heading: String {
    switch form.editedVersion {
    case nil: "Compose"
    case 0: "New template"
    case _: "Edit template \(form.storedName)"
    }
  }

  /// The link to the list of templates.
  var templates: HTML {
    "<p><a href=\"\(request.path(.compose))\(TemplatePages.path)\">Templates</a></p>"
  }

  /// The name of the template, in place of an audience; `nil` if a message is composed.
  var storedAudience: HTML? {
    guard let version = form.editedVersion else { return nil }
    return """
      <input type="hidden" name="to" value="*"><input type="hidden" name="kind" value="push">
      <input type="hidden" name="\(ComposeForm.storedVersionField)" value="\(version)">
      \(version == 0 ? "<section class=\"card\">\(storedName)</section>" : hiddenName)
      """
  }

  private var hiddenName: HTML {
    """
    <input type="hidden" name="\(ComposeForm.storedNameField)" value="\(form.storedName)">
    \(ComposeView.remarks(preview.remarks, at: ComposeForm.storedNameField))
    """
  }

  private var storedName: HTML {
    let (name, isRefused) = (
      ComposeForm.storedNameField,
      preview.remarks.contains { $0.place == ComposeForm.storedNameField }
    )
    return """
      <label for="\(name)">Name of the template</label>
      <input id="\(name)" name="\(name)" value="\(form.storedName)" autocomplete="off" autocapitalize="none" \
      spellcheck="false" maxlength="64" aria-describedby="\(name)-help \(name)-remarks"\
      \(" aria-invalid=\"true\"", if: isRefused)>
      <p class="help" id="\(name)-help">Letters, digits, dots, hyphens and underscores: campaigns name it so.</p>
      \(ComposeView.remarks(preview.remarks, at: name))
      """
  }

  var saving: HTML {
    let version = (form.editedVersion ?? 0) + 1
    return """
      <button class="primary" name="action" value="template">Save version \(version)</button>
      """
  }

  /// The part of the composer that saves a message as a template.
  var saveAsTemplate: HTML {
    let isOpen = preview.remarks.contains { $0.place == ComposeForm.storedNameField }
    return """
      <details class="more push-only"\(" open", if: isOpen)><summary>Save as a template</summary>
      \(storedName)
      <p><button name="action" value="template">Save as a template</button></p></details>
      """
  }
}
