import Markup
import PushModel
import PushPayload

/// The page with the form of an in-app message, and the message beside it as inboxes show it.
struct MessageFormView {
  var request: PageRequest
  var message: Message
  var form: MessageForm
  /// The reason why the message was not saved, with the field that it is about.
  var problem: (text: String, field: String?)?
  /// The message as the form changes it; `nil` if the form is refused.
  var preview: MessagePreview?

  private var path: String { MessagesPages.path(of: message, request) }

  private var fields: FormFields {
    let remarks = problem.flatMap { problem in
      problem.field.map { ComposePreview.Remark.refusal(problem.text, at: $0) }
    }
    return FormFields(form: form.form, remarks: [remarks].compactMap { $0 })
  }

  var html: HTML {
    // After a conflict the page is of the new version.
    let version =
      problem != nil && problem?.field == nil
      ? MessageForm.version(of: message) : form.version
    return """
      <div class="head"><h1>Edit in-app message</h1><p><a href="\(path)">\(message.title)</a></p></div>
      \(problem.map { HTML.problem($0.text, at: $0.field) })
      <form method="post" action="\(path)/edit" class="composer" id="in-app">\(request.session.tokenField)
      <input type="hidden" name="version" value="\(version)">
      <div class="compose">
      <div>
      <section class="card"><h2>Message</h2>
      <p class="help">Devices show the new content when they next load their inbox. A push that was sent stays as it is.</p>
      \(line(.title))
      \(fields.area(MessageForm.Field.text.rawValue, MessageForm.Field.text.title))
      \(line(.url))
      <div class="columns"><div>\(line(.image, type: "url"))</div><div>\(line(.video, type: "url"))</div></div>
      </section>
      <section class="card"><h2>Schedule</h2>
      <div class="columns"><div>\(line(.unpublishAt, type: "datetime-local"))</div></div>
      </section>
      <div class="actions"><button class="primary" name="action" value="save">Save</button>
      <noscript><button name="action" value="preview">Preview</button></noscript>
      <button type="button" class="sheet-only" popovertarget="\(PreviewPane.id)">Show preview</button></div>
      </div>
      <section class="preview" id="\(PreviewPane.id)" popover tabindex="0" aria-labelledby="preview-title">
      <div class="head"><h2 id="preview-title">Preview</h2><button type="button" class="small sheet-only" \
      popovertarget="\(PreviewPane.id)" popovertargetaction="hide">Close</button></div>
      <div id="inbox">\(preview?.html ?? "<p class=\"note\">The preview appears once the form can be saved.</p>")</div>
      </section>
      </div>
      </form>
      """
  }

  private func line(_ field: MessageForm.Field, type: StaticString = "text") -> HTML {
    fields.line(field.rawValue, field.title, type: type)
  }
}
