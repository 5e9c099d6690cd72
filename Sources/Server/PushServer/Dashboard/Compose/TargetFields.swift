import Markup
import PushModel
import PushPayload

/// The fields of an audience, with those that are included or left out beside it.
struct TargetFields {
  var form: ComposeForm
  var choices: ComposeChoices
  var request: PageRequest
  var remarks: [ComposePreview.Remark] = []
  /// The option of an audience that the form cannot write: its value and its title.
  var other: (value: String, title: String)?
  /// The identifier of the element that gets the focus.
  var focus: String?

  var html: HTML { choice + refinements }

  /// The menu of audiences.
  var choice: HTML {
    let audiences = choices.audiences.map { audience -> HTML in
      let name = audience.name ?? "Audience of the duplicated send"
      return option(name + (audience.isTest ? " (test)" : ""), value: audience.id)
    }
    let unopened = form.unopenedSend.map { send -> HTML in
      let title = choices.sends.first { $0.id == send }?.summary ?? send
      return option(
        "Received “\(title)” and did not open it", value: ComposeForm.unopened(send))
    }
    let isRefused = remarks.contains {
      $0.field == .to && $0.severity == ComposePreview.refusal
    }
    return """
      <label for="to">\(ComposeField.to.title)</label>
      <select id="to" name="to" aria-describedby="to-remarks"\(" aria-invalid=\"true\"", if: isRefused)>
      \(option("Choose…", value: ""))\(other.map { option($0.title, value: $0.value) })\(unopened)\(audiences)\
      \(option("Devices that match conditions…", value: ComposeForm.conditionsChoice))\
      \(option("All devices of \(request.app.name)", value: "*"))
      </select>
      \(ComposeView.remarks(remarks, at: ComposeField.to.rawValue))
      """
  }

  /// The conditions, and what is included or left out beside the chosen audience.
  var refinements: HTML {
    """
    <div class="conditions-only">\(builder)</div>
    \(creation)
    \(refinement)
    """
  }

  /// The button that leads to the builder of audiences and back.
  private var creation: HTML? {
    guard request.may(.write) else { return nil }
    return """
      <p class="new-audience"><button class="small" name="action" value="\(NewAudience.action)">New audience…</button></p>
      """
  }

  private var builder: HTML {
    ConditionsView(
      conditions: form.conditions, choices: choices.conditions, request: request,
      showsProblems: !remarks.isEmpty, focus: focus
    ).html + (choices.conditionsCount ?? ConditionsCount(problem: "Choose a condition.")).html
  }

  private func option(_ title: String, value: String) -> HTML {
    "<option value=\"\(value)\"\(" selected", if: value == form[.to])>\(title)</option>"
  }

  private var refinement: HTML? {
    let named = choices.audiences.filter { $0.name != nil }
    guard !named.isEmpty || !choices.sends.isEmpty || form.isRefined else { return nil }
    func checks(_ field: String, titled legend: String, chosen: [String]) -> HTML? {
      // A choice that is not offered, such as an audience without a name, must not be lost.
      let others = chosen.filter { id in !named.contains { $0.id == id } }
      let offered = named.map { ($0.id, $0.name ?? $0.id) } + others.map { ($0, $0) }
      guard !offered.isEmpty else { return nil }
      let boxes = offered.map { id, name -> HTML in
        """
        <label class="choice"><input type="checkbox" name="\(field)" value="\(id)"\
        \(" checked", if: chosen.contains(id))> \(name)</label>
        """
      }
      return "<fieldset><legend>\(legend)</legend>\(boxes)</fieldset>"
    }
    let chosen = form.leftOutReceivers ?? ""
    let sends = choices.sends.map { send -> HTML in
      """
      <option value="\(send.id)"\(" selected", if: send.id == chosen)>\(send.name ?? send.summary) \
      (\(send.createdAt.utcText.prefix(10)))</option>
      """
    }
    let isOffered = chosen.isEmpty || choices.sends.contains { $0.id == chosen }
    let other: HTML? =
      isOffered ? nil : "<option value=\"\(chosen)\" selected>The receivers of \(chosen)</option>"
    let received: HTML = """
      <label for="received">Leave out who received</label>
      <select id="received" name="\(ComposeForm.receivedField)">
      <option value=""\(" selected", if: chosen.isEmpty)>Nobody</option>\(other)\(sends)</select>
      """
    return """
      <details class="no-conditions"\(" open", if: form.isRefined)><summary>Include or leave out more audiences</summary>
      <div class="columns">\(checks(ComposeForm.alsoField, titled: "Include too", chosen: form.included))\
      \(checks(ComposeForm.exceptField, titled: "Leave out", chosen: form.leftOut))</div>
      \(choices.sends.isEmpty && isOffered ? nil : received)
      </details>
      """
  }
}
