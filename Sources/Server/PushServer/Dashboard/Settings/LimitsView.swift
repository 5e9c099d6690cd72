import Markup
import PushModel
import PushPayload

/// The page of an app's limits: quiet hours, frequency caps, the holdout, and the need for an approval.
struct LimitsView {
  var request: PageRequest
  var form: LimitsForm
  var limits: AppLimits
  /// The version that the user knows.
  var version: String
  var remarks: [ComposePreview.Remark]
  var notice: String?
  /// The identifier of the element that gets the focus.
  var focus: String?

  private var path: String { request.path(.settings) + LimitsPages.path }

  var html: HTML {
    """
    <p><a href="\(request.path(.settings))">Settings</a></p>
    <h1>Limits</h1>
    \(ComposeView.refusals(remarks, saying: "Nothing was saved."))
    \(notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    <p class="help">They hold for all campaigns, unless a campaign says otherwise. Transactional notifications \
    have none.</p>
    <form method="post" action="\(path)" novalidate>\(request.session.tokenField)
    <input type="hidden" name="version" value="\(version)">
    <button class="hidden" name="action" value="save" tabindex="-1" aria-hidden="true">Save</button>
    \(quiet)\(caps)\(holdout)\(approval)
    <div class="actions"><button class="primary" name="action" value="save">Save limits</button></div>
    </form>
    """
  }

  private var quiet: HTML {
    let choices = QuietHours.Otherwise.choices.map { choice -> HTML in
      """
      <option value="\(choice.value)"\(" selected", if: choice.value == form[.quietElse])>\(choice.title)</option>
      """
    }
    return """
      <section class="card"><h2>Quiet hours</h2>
      <fieldset class="switch"><legend>Quiet hours</legend>\
      \(radio(.quiet, "none", title: "None", isChosen: !form.hasQuietHours))\
      \(radio(.quiet, "own", title: "Each day", isChosen: form.hasQuietHours))</fieldset>
      <div class="own-only"><div class="columns">
      <div>\(line(LimitsForm.Field.quietFrom.rawValue, "From", type: "time"))</div>
      <div>\(line(LimitsForm.Field.quietTo.rawValue, "To", type: "time"))</div>
      <div><label for="quiet_else">A push in these hours</label><select id="quiet_else" name="quiet_else">\(choices)</select></div>
      </div><p class="help">As the clock of each device shows them; one without a time zone has UTC. What is \
      time-sensitive or critical is sent.</p></div>
      </section>
      """
  }

  private var caps: HTML {
    let rows = form.capRows.map { cap -> HTML in
      func name(_ part: String) -> String { LimitsForm.capName(cap.row, part) }
      let units: [CampaignPeriod.Unit] = [.minutes, .hours, .days]
      let offered = units.contains(cap.within.unit) ? units : [cap.within.unit] + units
      let options = offered.map { unit -> HTML in
        """
        <option value="\(unit.rawValue)"\(" selected", if: unit == cap.within.unit)>\(unit.rawValue)</option>
        """
      }
      return """
        <fieldset><legend>Frequency cap \(cap.row + 1)</legend><div class="columns">
        <div>\(line(name("most"), "Most pushes", type: "number", value: cap.most))</div>
        <div><label for="\(name("within"))">Within</label>
        <div class="pair"><input type="number" min="1" \(attributes(name("within"))) value="\(cap.within.amount)" \
        autocomplete="off"><select name="\(name("unit"))" aria-label="Within: unit">\(options)</select></div>
        \(ComposeView.remarks(remarks, at: name("within")))</div></div></fieldset>
        """
    }
    return """
      <section class="card"><h2>Frequency caps</h2>
      <p class="help">How many pushes a device gets in any such time. Each cap holds, and what would be more is not \
      sent later. A cap with empty fields ends; with the last one, what was counted is forgotten.</p>
      \(rows)
      <p><button name="action" value="cap-add">Another cap</button></p>
      </section>
      """
  }

  private var holdout: HTML {
    let since: HTML? = limits.holdout.map {
      "<p class=\"help\">The people have been left out since \(.time($0.since)).</p>"
    }
    return """
      <section class="card"><h2>Holdout</h2>
      \(line(LimitsForm.Field.percent.rawValue, "Share of the app's people (%)", type: "number",
        help: "From 1 to \(Holdout.limit): campaigns leave them out, so that their effect can be measured. If empty, nobody."))
      \(since)
      <label class="choice"><input type="checkbox" name="redraw" value="on"\(" checked", if: form.redraws)> \
      Choose other people than before</label>
      </section>
      """
  }

  private var approval: HTML {
    """
    <section class="card"><h2>Approval</h2>
    <fieldset class="switch"><legend>Approval is needed for</legend>\
    \(radio(.approval, "none", title: "Nothing", isChosen: form.approval == AppLimits.Approval.none))\
    \(radio(.approval, "required", title: "Campaigns", isChosen: form.approval == .required))\
    \(radio(.approval, "every_send", title: "Every send", isChosen: form.approval == .everySend))\
    </fieldset>
    <p class="help">Campaigns: a second person or key approves each. Two keys of one holder count as two, and notifications of \
    the composer and of the API need none.</p>
    <p class="help">Every send: nothing is sent but campaigns that one person submits in the dashboard and another one \
    approves. Keys and admins too send nothing else, and test on \(TestBudget.devicesPerTest) devices a test and \
    \(TestBudget.devicesPerHour) an hour. What was scheduled or started before goes on.</p>
    </section>
    """
  }

  // MARK: Fields

  private func radio(
    _ field: LimitsForm.Field, _ value: String, title: String, isChosen: Bool
  ) -> HTML {
    """
    <label><input type="radio" name="\(field.rawValue)" value="\(value)"\(" checked", if: isChosen)> \
    <span>\(title)</span></label>
    """
  }

  private func line(
    _ name: String, _ title: String, type: StaticString, value: String? = nil, help: String? = nil
  ) -> HTML {
    """
    <label for="\(name)">\(title)</label>
    <input type="\(HTML(stringLiteral: type))" \(attributes(name, hasHelp: help != nil)) \
    value="\(value ?? form.form[name] ?? "")" autocomplete="off">
    \(help.map { "<p class=\"help\" id=\"\(name)-help\">\($0)</p>" as HTML })\(ComposeView.remarks(remarks, at: name))
    """
  }

  private func attributes(_ name: String, hasHelp: Bool = false) -> HTML {
    let isRefused = remarks.contains { $0.place == name }
    return """
      id="\(name)" name="\(name)" aria-describedby="\(hasHelp ? "\(name)-help " : "")\(name)-remarks"\
      \(" aria-invalid=\"true\"", if: isRefused)\(" autofocus", if: name == focus)
      """
  }
}
