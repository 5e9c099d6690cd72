import Markup
import PushPayload
import PushStore

/// The card for the audience, with those that are included or left out beside it.
extension ComposeView {
  var audience: HTML {
    let kinds = ComposeForm.Kind.allCases.map { kind -> HTML in
      """
      <label><input type="radio" name="kind" value="\(kind.rawValue)"\
      \(" checked", if: kind == form.kind)> <span>\(kind.title)</span></label>
      """
    }
    let audiences = choices.audiences.map { audience -> HTML in
      let name = audience.name ?? "Audience of the duplicated send"
      return option(
        name + (audience.isTest ? " (test)" : ""), value: audience.id, selected: form[.to])
    }
    let unopened = form.unopenedSend.map { send -> HTML in
      let title = choices.sends.first { $0.id == send }?.summary ?? send
      return option(
        "Received “\(title)” and did not open it", value: ComposeForm.unopened(send),
        selected: form[.to])
    }
    return """
      <section class="card"><h2>Audience</h2>
      <fieldset class="switch"><legend>Type</legend>\(kinds)</fieldset>
      <label for="to">Audience</label>
      <select \(attributes(.to))>
      \(option("Choose…", value: "", selected: form[.to]))\(unopened)\(audiences)\
      \(option("All devices of \(request.app.name)", value: "*", selected: form[.to]))
      </select>
      \(remarks(.to))
      <p class="help"><a href="\(request.path(.audiences))">New audience</a></p>
      \(refinement)
      </section>
      """
  }

  private var refinement: HTML? {
    let named = choices.audiences.filter { $0.name != nil }
    guard !named.isEmpty || !choices.sends.isEmpty else { return nil }
    func checks(_ field: String, titled legend: String, chosen: [String]) -> HTML? {
      guard !named.isEmpty else { return nil }
      let boxes = named.map { audience -> HTML in
        """
        <label class="choice"><input type="checkbox" name="\(field)" value="\(audience.id)"\
        \(" checked", if: chosen.contains(audience.id))> \(audience.name ?? "")</label>
        """
      }
      return "<fieldset><legend>\(legend)</legend>\(boxes)</fieldset>"
    }
    let sends = choices.sends.map { send in
      option(
        "\(send.name ?? send.summary) (\(send.createdAt.utcText.prefix(10)))", value: send.id,
        selected: form.leftOutReceivers ?? "")
    }
    let received: HTML = """
      <label for="received">Leave out who received</label>
      <select id="received" name="\(ComposeForm.receivedField)">
      \(option("Nobody", value: "", selected: form.leftOutReceivers ?? ""))\(sends)</select>
      """
    return """
      <details\(" open", if: form.isRefined)><summary>Include or leave out more audiences</summary>
      <div class="columns">\(checks(ComposeForm.alsoField, titled: "Include too", chosen: form.included))\
      \(checks(ComposeForm.exceptField, titled: "Leave out", chosen: form.leftOut))</div>
      \(choices.sends.isEmpty ? nil : received)
      </details>
      """
  }
}
