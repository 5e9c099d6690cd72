import Markup
import PushModel
import PushPayload
import _HTTPServer

/// The composer's page: the steps of the form with the preview beside them.
///
/// The steps are sections of one page, with scripts and without, so that all of a message is seen and submitted at
/// once. The style sheet hides the fields that do not apply to the chosen type, so the page needs no script.
struct ComposeView {
  var form: ComposeForm
  var preview: ComposePreview
  /// The picture of the preview; `nil` if nothing shows.
  var card: [UInt8]?
  /// The in-app message as inboxes show it.
  var inbox: HTML?
  var request: PageRequest
  var choices: ComposeChoices
  var sample: Device?
  /// Whether the message can be sent from here, and not only by a campaign that somebody approves.
  var sendsDirectly: Bool
  /// Whether the form is new and empty, so that a draft saved in the browser may fill it.
  var isFresh: Bool
  var notice: HTML?
  /// Whether the page lists the mistakes at its top, because the form could not be sent.
  var isRefused = false
  /// The identifier of the element that gets the focus.
  var focus: String?

  var html: HTML {
    """
    <div class="head"><h1>\(heading)</h1>\(templates)
    <p id="draft" class="muted" role="status" hidden></p></div>
    \(notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    \(isRefused ? Self.refusals(preview.remarks, saying: "Nothing was sent.") : nil)
    <form method="post" action="\(request.path(.compose))" enctype="multipart/form-data" novalidate \
    id="compose" class="composer" data-app="\(request.app.id)"\(" data-fresh=\"\"", if: isFresh)>
    \(request.session.tokenField)
    \(form.form[ComposeForm.replacedField].map(replaced))
    <input type="hidden" name="draft" value="\(form.form["draft"] ?? "")">
    <input type="hidden" name="once" value="\(Identifiers.makeObjectID())">
    <button class="hidden" name="action" value="preview" tabindex="-1" aria-hidden="true">Preview</button>
    \(isTemplate ? nil : steps)
    <div class="compose">
    <div>
    \(storedAudience ?? audience)\(message)\(isTemplate ? nil : schedule)
    \(MessageFields.categories)
    <div class="actions">
    \(isTemplate ? saving : review)
    <noscript><button name="action" value="preview">Preview</button></noscript>
    <button type="button" class="sheet-only" popovertarget="\(PreviewPane.id)">Show preview</button>
    </div>
    </div>
    \(pane)
    </div>
    </form>
    """
  }

  /// Whether the page edits a template, which has no audience and no schedule.
  private var isTemplate: Bool { form.editedVersion != nil }

  private var steps: HTML { preview.steps(review: sendsDirectly ? "review" : nil).html }

  /// The fields of the form.
  ///
  /// A new form is incomplete, but its user has not made a mistake yet.
  var fields: FormFields {
    FormFields(form: form.form, remarks: isFresh ? [] : preview.remarks, focus: focus)
  }

  private var review: HTML {
    guard sendsDirectly else {
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

  // MARK: Audience and message

  private var audience: HTML {
    let kinds = ComposeForm.Kind.allCases.map { kind -> HTML in
      """
      <label><input type="radio" name="kind" value="\(kind.rawValue)"\
      \(" checked", if: kind == form.kind)> <span>\(kind.title)</span></label>
      """
    }
    let target = TargetFields(
      form: form, choices: choices, request: request, remarks: fields.remarks, focus: focus)
    return """
      <section class="card" id="\(StepList.Step.audience.id)" tabindex="-1"><h2 class="beside-next">Audience</h2>
      <fieldset class="switch"><legend class="hidden">Type</legend>\(kinds)</fieldset>
      \(target.html)
      </section>
      """
  }

  private var messageFields: MessageFields {
    MessageFields(form: form, fields: fields, coverage: preview.coverage)
  }

  private var message: HTML {
    let own = messageFields
    return """
      <section class="card" id="\(StepList.Step.message.id)" tabindex="-1"><h2>Message</h2>
      <fieldset class="tabs message-parts"><legend class="hidden">Part</legend>
      \(tab(nil, "Notification"))<div class="panel fallback">
      <div id="message" class="texts">\(own.texts)\(personalization)
      <div class="message-only">\(fields.area(ComposeField.messageText.rawValue, ComposeField.messageText.title, rows: 2,
        help: "If empty, the body above. An in-app message has no languages, and needs a title."))</div></div>
      \(own.media)\(own.buttons)\(own.delivery)</div>
      \(tab(ComposeForm.expandedPart, "Expanded notification"))<div class="panel push-only">\(own.expanded)</div>
      </fieldset>
      \(own.advanced)
      </section>
      """
  }

  /// The tab of a part of the message; the first part has no value.
  private func tab(_ part: String?, _ title: String) -> HTML {
    let words: HTML? = part.map { _ in
      " <span class=\"set\" id=\"template-set\">\(form.template?.title ?? "")</span>"
    }
    return """
      <label class="push-only"><input type="radio" name="\(ComposeForm.partField)" value="\(part ?? "")"\
      \(" checked", if: (form.form[ComposeForm.partField] ?? "") == part ?? "")> <span>\(title)\(words)</span></label>
      """
  }

  private var personalization: HTML { PersonalizationMenu(attributes: choices.attributes).html }

  /// The parts that depend on the audience and on the languages, as the answer to a script that replaces them.
  var parts: HTTPResponse {
    let samples = PreviewPane.samples(choices, sample, in: form.openLanguage)
    let html: HTML = "\(messageFields.texts)\(personalization)\(samples)"
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/html; charset=utf-8")] + WebPage.headers, body: html.bytes)
  }

  // MARK: Preview

  private var pane: HTML {
    PreviewPane(
      shown: .init(preview: preview, card: card, inbox: inbox), form: form.form,
      choices: choices, sample: sample, remarks: fields.remarks(at: nil),
      more: "\(test)\(isTemplate ? nil : saveAsTemplate)"
    ).html
  }

  private var test: HTML {
    let tests = choices.audiences.filter(\.isTest).map { audience -> HTML in
      "<option value=\"\(audience.id)\">\(audience.name ?? "")</option>"
    }
    return """
      <div class="push-only"><h3>Send a test</h3>
      <label for="test_device">\(ComposeField.testDevice.title)</label>
      <div class="row"><input \(fields.attributes(ComposeField.testDevice.rawValue, hasHelp: false)) \
      value="\(form[.testDevice])" list="tests" autocomplete="off">
      <button name="action" value="test">Send test</button></div>
      <datalist id="tests">\(tests)\
      \(choices.devices.map { "<option value=\"\($0.id)\">\($0.userID ?? "")</option>" as HTML })\
      </datalist>
      \(fields.remarks(at: ComposeField.testDevice.rawValue))</div>
      """
  }
}
