import Markup
import PushModel
import PushPayload

/// The page that creates a campaign or edits a draft: its steps, with the preview of a variant beside them.
///
/// The style sheet hides the fields that do not apply to the choices, so the page needs no script.
struct CampaignFormView {
  var form: CampaignForm
  /// The draft that is edited; `nil` if the campaign is new.
  var campaign: Campaign?
  /// The version that the user knows; `nil` if it is the campaign's current version.
  var version: String?
  var request: PageRequest
  var choices: ComposeChoices
  var limits: AppLimits
  /// The devices of the audience by their locales; `nil` if no usable audience is chosen.
  var locales: AudienceLocales?
  var remarks: [ComposePreview.Remark] = []
  /// The variant that the preview shows.
  var shown: PreviewPane.Picture
  /// The device for which the preview is composed.
  var sample: Device?
  var steps: StepList
  /// The largest number of templates in the menu.
  static let templateLimit = 100
  /// The app's first templates by name.
  var templates: [StoredTemplate] = []
  /// Whether the page lists the mistakes at its top.
  var isRefused = false
  /// The identifier of the element that gets the focus.
  var focus: String?

  static func path(of campaign: Campaign?, _ request: PageRequest) -> String {
    let list = request.path(.sends) + CampaignPages.path
    return campaign.map { "\(list)/\($0.id)/edit" } ?? "\(list)/new"
  }

  var fields: FormFields { FormFields(form: form.form, remarks: remarks, focus: focus) }

  var html: HTML {
    """
    <div class="head"><h1>\(campaign == nil ? "New campaign" : "Edit campaign")</h1>
    <p><a href="\(request.path(.sends))\(CampaignPages.path)">Campaigns</a></p></div>
    \(isRefused ? ComposeView.refusals(remarks, saying: "Nothing was saved.") : nil)
    <form method="post" action="\(Self.path(of: campaign, request))" enctype="multipart/form-data" novalidate \
    id="campaign" class="composer">
    \(request.session.tokenField)
    <input type="hidden" name="variants" value="\(form.variantCount)">
    \(campaign.map { "<input type=\"hidden\" name=\"version\" value=\"\(version ?? "\($0.version)")\">" as HTML } ?? onceField)
    <input type="hidden" name="\(CampaignForm.stepsField)" value="\(form.stepCount)">
    \(hidden(CampaignForm.keptField))\(hidden(CampaignForm.keptTargetField))\(hidden(CampaignForm.listedField))
    <button class="hidden" name="action" value="preview" tabindex="-1" aria-hidden="true">Preview</button>
    \(steps.html)
    <div class="compose">
    <div>
    \(audience)
    \(messages)
    \(schedule)
    \(MessageFields.categories)
    <div class="actions">
    <button class="primary" name="action" value="save">Save and review…</button>
    <noscript><button name="action" value="preview">Preview</button></noscript>
    <button type="button" class="sheet-only" popovertarget="\(PreviewPane.id)">Show preview</button>
    </div>
    </div>
    \(pane)
    </div>
    </form>
    """
  }

  /// The key of a new form, by which a button that is pressed twice makes one campaign.
  private var onceField: HTML {
    "<input type=\"hidden\" name=\"once\" value=\"\(form.form["once"] ?? Identifiers.makeObjectID())\">"
  }

  private var pane: HTML {
    PreviewPane(
      shown: shown, variants: form.variants.map(\.title), form: form.form, choices: choices,
      sample: sample, remarks: fields.remarks(at: nil)
    ).html
  }

  func hidden(_ name: String) -> HTML? {
    form.form[name].map { "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">\n" }
  }

  private var audience: HTML {
    var target = TargetFields(
      form: form.compose, choices: choices, request: request, remarks: remarks, focus: focus)
    if let kept = form.form[CampaignForm.keptTargetField] {
      target.other = (CampaignForm.keptTarget, "As written over the API: \(kept.prefix(60))")
    }
    return """
      <section class="card" id="\(StepList.Step.audience.id)" tabindex="-1"><h2>Name and audience</h2>
      <div class="columns">
      <div>\(line(.name))</div>
      <div>\(fields.line(ComposeField.labels.rawValue, ComposeField.labels.title,
        more: " placeholder=\"autumn, sale\""))</div>
      <div>\(target.choice)</div>
      </div>
      \(target.refinements)
      <p class="help triggered-only">Who enters gets a message only as a member of this audience.</p>
      </section>
      """
  }
}

/// The fields of the page.
extension CampaignFormView {
  func line(
    _ field: CampaignForm.Field, type: StaticString = "text", more: HTML = "",
    after: HTML? = nil, help: String? = nil
  ) -> HTML {
    fields.line(field.rawValue, field.title, type: type, more: more, after: after, help: help)
  }

  func menu(_ field: CampaignForm.Field, _ choices: [(value: String, title: String)]) -> HTML {
    fields.menu(field.rawValue, field.title, choices: choices)
  }

  func check(_ field: CampaignForm.Field) -> HTML { fields.check(field.rawValue, field.title) }

  func radio(_ field: CampaignForm.Field, _ value: String, title: String) -> HTML {
    // The summary of problems links to the chosen button.
    let id: HTML? = form[field] == value ? " id=\"\(field.rawValue)\" checked" : nil
    return """
      <label><input type="radio" name="\(field.rawValue)" value="\(value)"\(id)> <span>\(title)</span></label>
      """
  }

  func period(
    _ field: CampaignForm.Field, unit: CampaignForm.Field, _ period: CampaignPeriod,
    units: [CampaignPeriod.Unit], help: String? = nil
  ) -> HTML {
    self.period(
      field.rawValue, field.title, unit: unit.rawValue, period: period, units: units, help: help)
  }

  /// An amount with a menu of units, which always includes the unit of the form.
  func period(
    _ name: String, _ title: String, unit: String, period: CampaignPeriod,
    units: [CampaignPeriod.Unit], help: String? = nil
  ) -> HTML {
    let offered = units.contains(period.unit) ? units : [period.unit] + units
    let options = offered.map { one -> HTML in
      """
      <option value="\(one.rawValue)"\(" selected", if: one == period.unit)>\(one.rawValue)</option>
      """
    }
    return """
      <label for="\(name)">\(title)</label>
      <div class="pair"><input type="number" min="1" \(fields.attributes(name, hasHelp: help != nil)) value="\(period.amount)" \
      autocomplete="off"><select id="\(unit)" name="\(unit)" aria-label="\(title): unit">\(options)</select></div>
      \(fields.help(help, of: name))\(fields.remarks(at: name))
      """
  }
}
