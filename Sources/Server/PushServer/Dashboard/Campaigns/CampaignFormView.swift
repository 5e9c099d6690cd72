import Markup
import PushModel
import PushPayload

/// The page that creates a campaign or edits a draft.
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
  /// The pictures of variants by their numbers, light and dark.
  var pictures: [Int: (light: [UInt8], dark: [UInt8])] = [:]
  /// In-app messages as inboxes show them, by the numbers of their variants.
  var inboxes: [Int: HTML] = [:]
  /// The sizes of the variants' payloads in words, by their numbers.
  var budgets: [Int: String] = [:]
  /// The largest number of templates in the menu.
  static let templateLimit = 100
  /// The app's first templates by name.
  var templates: [StoredTemplate] = []
  /// Whether the page lists the mistakes at its top.
  var isRefused = false
  /// The identifier of the element that gets the focus.
  var focus: String?

  var path: String {
    let list = request.path(.sends) + CampaignPages.path
    return campaign.map { "\(list)/\($0.id)/edit" } ?? "\(list)/new"
  }

  var html: HTML {
    """
    <p><a href="\(request.path(.sends))\(CampaignPages.path)">Campaigns</a></p>
    <h1>\(campaign == nil ? "New campaign" : "Edit campaign")</h1>
    \(isRefused ? ComposeView.refusals(remarks, saying: "Nothing was saved.") : nil)
    <form method="post" action="\(path)" enctype="multipart/form-data" novalidate id="campaign">
    \(request.session.tokenField)
    <input type="hidden" name="variants" value="\(form.variantCount)">
    \(campaign.map { "<input type=\"hidden\" name=\"version\" value=\"\(version ?? "\($0.version)")\">" as HTML })
    <input type="hidden" name="\(CampaignForm.stepsField)" value="\(form.stepCount)">
    \(hidden(CampaignForm.keptField))\(hidden(CampaignForm.keptTargetField))\(hidden(CampaignForm.listedField))
    <button class="hidden" name="action" value="preview" tabindex="-1" aria-hidden="true">Preview</button>
    \(naming)
    \(schedule)
    \(audience)
    \(messages)
    \(test)
    \(goals)
    \(limitFields)
    <div class="actions">
    <button class="primary" name="action" value="save">Save and review…</button>
    <button name="action" value="preview">Preview</button>
    </div>
    </form>
    """
  }

  func hidden(_ name: String) -> HTML? {
    form.form[name].map { "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">\n" }
  }

  private var naming: HTML {
    """
    <section class="card"><h2>Name and labels</h2>
    <div class="columns">
    <div>\(line(.name, help: "What the list of campaigns calls it. Devices do not get it."))</div>
    <div>\(line("labels", ComposeField.labels.title,
      help: "Words by which it is found again, separated by commas."))</div>
    </div></section>
    """
  }

  private var audience: HTML {
    var target = TargetFields(
      form: form.compose, choices: choices, request: request, remarks: remarks)
    if let kept = form.form[CampaignForm.keptTargetField] {
      target.other = (CampaignForm.keptTarget, "As written over the API: \(kept.prefix(60))")
    }
    return """
      <section class="card"><h2>Audience</h2>
      \(target.html)
      <p class="help triggered-only">Who enters gets a message only as a member of this audience.</p>
      </section>
      """
  }

  // MARK: Test and goals

  private var test: HTML {
    let units: [CampaignPeriod.Unit] = [.minutes, .hours, .days]
    return """
      <section class="card timed-only"><h2>Test</h2>
      <fieldset class="switch"><legend>\(CampaignForm.Field.mode.title)</legend>
      \(radio(.mode, "test", title: "Test on a sample first"))\
      \(radio(.mode, "all", title: "The variants to everyone at once"))</fieldset>
      \(ComposeView.remarks(remarks, at: "mode"))
      <div class="test-only">
      <div class="columns">
      <div>\(line(.sample, type: "number", more: " min=\"1\" max=\"99\"",
        help: "The part of the audience that gets the variants. The others wait for the winner."))</div>
      <div>\(menu(.metric, [("opens", "Openings"), ("conversions", "Conversions: the event of goal 1")]))</div>
      </div>
      <fieldset class="switch"><legend>\(CampaignForm.Field.decide.title)</legend>
      \(radio(.decide, "clock", title: "The clock"))\(radio(.decide, "hand", title: "I decide"))</fieldset>
      <div class="columns clock-only">
      <div>\(period(
        .decideAfter, unit: .decideUnit, form.decideAfter, units: units,
        help: "From when the test was sent. A test without a single opening waits for you."))</div>
      <div>\(menu(.noWinner, [
        ("best", "Send the one with the highest rate"),
        ("default", "Send the first variant"), ("none", "Send nothing more"),
      ]))</div>
      </div></div>
      </section>
      """
  }

  private var goals: HTML {
    let rows = form.goalRows.enumerated().map { row, goal -> HTML in
      func name(_ part: String) -> String { CampaignForm.goalName(row, part) }
      return """
        <fieldset><legend>Goal \(row + 1)</legend><div class="columns">
        <div>\(line(name("event"), "Event", help: row == 0 ? "Its name, as the app reports it: bought." : nil))</div>
        <div>\(period(
          name("within"), "Counts within", unit: name("unit"), period: goal.within,
          units: [.minutes, .hours, .days]))</div>
        </div></fieldset>
        """
    }
    return """
      <section class="card timed-only"><h2>Goals</h2>
      <p class="help">What people shall do. It is counted for each variant and for the control, once the time after the \
      start is over.</p>
      \(rows)
      </section>
      """
  }
}

/// The fields of the page.
extension CampaignFormView {
  func line(
    _ field: CampaignForm.Field, type: StaticString = "text", more: HTML = "",
    after: HTML = "", help: String? = nil
  ) -> HTML {
    line(field.rawValue, field.title, type: type, more: more, after: after, help: help)
  }

  func line(
    _ name: String, _ title: String, type: StaticString = "text", more: HTML = "",
    after: HTML = "", help: String? = nil
  ) -> HTML {
    """
    <label for="\(name)">\(title)</label>
    <input type="\(HTML(stringLiteral: type))" \(attributes(name, hasHelp: help != nil)) \
    value="\(form.form[name] ?? "")" autocomplete="off"\(more)>\(after)
    \(self.help(help, of: name))\(ComposeView.remarks(remarks, at: name))
    """
  }

  func area(_ name: String, _ title: String, rows: Int = 3, help: String? = nil) -> HTML {
    """
    <label for="\(name)">\(title)</label>
    <textarea rows="\(rows)" \(attributes(name, hasHelp: help != nil))>\n\(form.form[name] ?? "")</textarea>
    \(self.help(help, of: name))\(ComposeView.remarks(remarks, at: name))
    """
  }

  func menu(_ field: CampaignForm.Field, _ choices: [(value: String, title: String)]) -> HTML {
    menu(field.rawValue, field.title, choices: choices)
  }

  func menu(
    _ name: String, _ title: String, choices: [(value: String, title: String)]
  ) -> HTML {
    let options = choices.map { choice -> HTML in
      """
      <option value="\(choice.value)"\(" selected", if: choice.value == form.form[name])>\
      \(choice.title)</option>
      """
    }
    return """
      <label for="\(name)">\(title)</label>
      <select \(attributes(name, hasHelp: false))>\(options)</select>
      \(ComposeView.remarks(remarks, at: name))
      """
  }

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
      <div class="pair"><input type="number" min="1" \(attributes(name, hasHelp: help != nil)) value="\(period.amount)" \
      autocomplete="off"><select id="\(unit)" name="\(unit)" aria-label="\(title): unit">\(options)</select></div>
      \(self.help(help, of: name))\(ComposeView.remarks(remarks, at: name))
      """
  }

  func help(_ text: String?, of name: String) -> HTML? {
    text.map { "<p class=\"help\" id=\"\(name)-help\">\($0)</p>" }
  }

  func attributes(_ name: String, hasHelp: Bool) -> HTML {
    let isRefused = remarks.contains {
      $0.place == name && $0.severity == ComposePreview.refusal
    }
    return """
      id="\(name)" name="\(name)" aria-describedby="\(hasHelp ? "\(name)-help " : "")\(name)-remarks"\
      \(" aria-invalid=\"true\"", if: isRefused)\(" autofocus", if: name == focus)
      """
  }
}
