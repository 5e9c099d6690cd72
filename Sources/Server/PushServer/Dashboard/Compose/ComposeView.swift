import Markup
import PushModel
import PushPayload
import _HTTPServer

/// The composer's page: the form with the preview beside it.
///
/// The style sheet hides the fields that do not apply to the chosen type, so the page needs no script.
struct ComposeView {
  var form: ComposeForm
  var preview: ComposePreview
  /// The pictures of the preview in both appearances; `nil` if nothing shows.
  var light, dark: [UInt8]?
  var request: PageRequest
  var choices: ComposeChoices
  var sample: Device?
  /// Whether the form is new and empty, so that a draft saved in the browser may fill it.
  var isFresh: Bool
  var notice: HTML?
  /// Whether the page lists the mistakes at its top, because the form could not be sent.
  var isRefused = false
  /// The identifier of the element that gets the focus.
  var focus: String?

  var html: HTML {
    """
    \(form.editedVersion == nil ? nil : templates)
    <div class="head"><h1>\(heading)</h1>\(form.editedVersion == nil ? templates : nil)
    <p id="draft" class="muted" role="status" hidden></p></div>
    \(notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    \(isRefused ? refusals : nil)
    <form method="post" action="\(request.path(.compose))" enctype="multipart/form-data" novalidate \
    id="compose" data-app="\(request.app.id)"\(" data-fresh=\"\"", if: isFresh)>
    \(request.session.tokenField)
    \(form.form[ComposeForm.replacedField].map(replaced))
    <input type="hidden" name="draft" value="\(form.form["draft"] ?? "")">
    <input type="hidden" name="once" value="\(Identifiers.makeObjectID())">
    <button class="hidden" name="action" value="preview" tabindex="-1" aria-hidden="true">Preview</button>
    <div class="compose">
    <div>
    \(storedAudience ?? audience)\(message)\(media)\(expanded)\(buttons)\(deliveryOptions)\
    \(form.editedVersion == nil ? "\(schedule)\(naming)" : nil)\(customData)\
    \(form.editedVersion == nil ? saveAsTemplate : nil)
    </div>
    <section class="preview" aria-labelledby="preview-title">
    \(previewPane)
    </section>
    </div>
    <div class="actions">
    \(form.editedVersion == nil ? sending : saving)
    <button name="action" value="preview">Preview</button>
    </div>
    </form>
    """
  }

  private var sending: HTML {
    """
    \(review)
    <button name="action" value="test" class="push-only">Send test</button>
    """
  }

  private var review: HTML {
    guard request.may(.send) else {
      return """
        <span class="muted">To send this to an audience, \
        <a href="\(request.path(.sends))\(CampaignPages.path)/new">make a campaign</a> and submit it for approval.</span>
        """
    }
    return "<button class=\"primary\" name=\"action\" value=\"review\">Review and send…</button>"
  }

  private func replaced(_ id: String) -> HTML {
    """
    <input type="hidden" name="\(ComposeForm.replacedField)" value="\(id)">
    <p class="note">You edit a <a href="\(request.path(.sends))/\(id)">scheduled send</a>. It stays as it is until you \
    send this one, which takes its place.</p>
    """
  }

  // MARK: Audience and content

  private var message: HTML {
    """
    <section class="card" id="message"><h2>Message</h2>
    \(languages)
    \(personalization)
    <div class="message-only">\(area(.messageText,
      help: "If empty, the body above. An in-app message has no languages, and needs a title."))</div>
    \(line(.link, help: "What a tap opens: a URL, or a link of the app such as app://sale."))
    </section>
    """
  }

  private var languages: HTML {
    let fallback: HTML = """
      \(line(.title, more: " dir=\"auto\""))
      <div class="push-only">\(line(.subtitle, more: " dir=\"auto\""))</div>
      \(area(.text))
      """
    return LanguageFieldsView(
      form: form, fallback: fallback, remarks: isFresh ? [] : preview.remarks,
      coverage: preview.coverage, focus: focus
    ).html
  }

  private var personalization: HTML { PersonalizationMenu(attributes: choices.attributes).html }

  /// The parts that depend on the audience and on the languages, as the answer to a script that replaces them.
  var parts: HTTPResponse {
    let html: HTML = "\(languages)\(personalization)\(samples)"
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/html; charset=utf-8")] + WebPage.headers, body: html.bytes)
  }

  private var media: HTML {
    """
    <section class="card"><h2>Media</h2>
    \(line(.media, type: "url"))
    <label for="file">Upload a file</label>
    <input type="file" id="file" name="file" aria-describedby="file-help" \
    accept="image/jpeg,image/png,image/gif,video/mp4,audio/mpeg,audio/mp4,audio/wav,audio/aiff">
    <p class="help" id="file-help">JPEG, PNG or GIF up to 10 MB, MP4 up to 50 MB, audio up to 5 MB.</p>
    <p id="upload" role="status" class="muted" hidden></p>
    <div class="push-only">\(line(.alternativeText))</div>
    </section>
    """
  }

  // MARK: Custom data

  private var customData: HTML {
    let rows = (form.pairs + [("", ""), ("", "")]).map { pair -> HTML in
      """
      <div class="pair"><input name="pair_key" value="\(pair.0)" aria-label="Key" \
      placeholder="Key" autocomplete="off"><input name="pair_value" value="\(pair.1)" \
      aria-label="Value" placeholder="Value" autocomplete="off"></div>
      """
    }
    return """
      <section class="card"><h2>Custom data</h2>
      <fieldset><legend class="hidden">Custom data</legend>\(rows)</fieldset>
      <details class="push-only"\(" open", if: !form[.more].isEmpty)><summary>Additional JSON</summary>
      \(area(.more, help: "Further keys of the payload, as a JSON object."))</details>
      </section>
      """
  }
}
