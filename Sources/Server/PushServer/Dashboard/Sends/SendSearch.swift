import Markup
import PushModel

/// The criteria of a search in the list of sends.
struct SendSearch: Sendable {
  var text = ""
  var label = ""
  var state: Send.State?
  /// Whether the list includes the sends of triggered campaigns.
  var hasTriggered = false

  init() {}

  init(_ request: PageRequest) {
    text = String((request.call.query("q") ?? "").prefix(RequestContext.queryLimit))
    label = request.call.query("label") ?? ""
    state = request.call.query("state").flatMap(Send.State.init(rawValue:))
    hasTriggered = request.call.query("triggered") != nil
  }

  var isEmpty: Bool { text.isEmpty && label.isEmpty && state == nil && !hasTriggered }

  var storeQuery: SendQuery {
    var query = SendQuery(text, label: label.isEmpty ? nil : label, state: state)
    query.leavesOutTriggered = !hasTriggered
    return query
  }

  /// The query of the list's address; `after` is the last send of the previous page.
  func query(after: String? = nil) -> String {
    let fields = [
      ("q", text), ("label", label), ("state", state?.rawValue ?? ""),
      ("triggered", hasTriggered ? "1" : ""), ("after", after ?? ""),
    ]
    let form = Form(fields.filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) })
    return form.fields.isEmpty ? "" : "?" + form.urlEncoded
  }

  func form(at path: String) -> HTML {
    let states = Send.State.allCases.map { state -> HTML in
      """
      <option value="\(state.rawValue)"\(" selected", if: state == self.state)>\(state.rawValue)</option>
      """
    }
    let isLabelled: HTML? =
      label.isEmpty ? nil : "<input type=\"hidden\" name=\"label\" value=\"\(label)\">"
    return """
      <form method="get" action="\(path)" class="row" role="search">
      <label for="q" class="hidden">Name, label, title or text</label>
      <input id="q" name="q" placeholder="Name, label, title or text" value="\(text)" autocomplete="off" \
      maxlength="\(RequestContext.queryLimit)">\(isLabelled)
      <label for="state-filter" class="hidden">Status</label>
      <select id="state-filter" name="state"><option value="">Any status</option>\(states)</select>
      <label class="choice"><input type="checkbox" name="triggered" value="1"\(" checked", if: hasTriggered)> \
      Triggered campaigns, too</label>
      <button>Search</button></form>
      """
  }
}
