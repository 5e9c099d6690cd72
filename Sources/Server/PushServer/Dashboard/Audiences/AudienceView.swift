import Markup
import PushModel

/// The audience builder.
struct AudienceView {
  var form: AudienceForm
  var audience: Audience?
  /// The form of which the builder is a part.
  var owner: NewAudience?
  var request: PageRequest
  var fields: AudienceFields
  var problem: String?
  var count: AudienceCount?

  private var path: String {
    owner?.path ?? request.path(.audiences) + "/" + (audience?.id ?? "new")
  }

  /// The fields of the form of which the builder is a part.
  private var carried: HTML? {
    owner.map { "<input type=\"hidden\" name=\"\(NewAudience.field)\" value=\"\($0.carried)\">" }
  }

  private var leave: HTML? {
    owner == nil
      ? nil
      : "<button name=\"action\" value=\"\(NewAudience.back)\">Back without it</button>"
  }

  var html: HTML {
    let rows = (form.rows + [AudienceForm.Row(), AudienceForm.Row()]).map(row)
    return """
      <p><a href="\(request.path(.audiences))">Audiences</a></p>
      <h1>\(audience?.name ?? "New audience")</h1>
      <div id="problem" aria-live="assertive">\(problem.map { HTML.problem($0) })</div>
      <form method="post" action="\(path)" enctype="multipart/form-data" id="audience">
      \(request.session.tokenField)\(carried)
      <input type="hidden" name="version" value="\(audience?.updatedAt.iso8601 ?? "")">
      <button class="hidden" name="action" value="count" tabindex="-1" aria-hidden="true">Count</button>
      <section class="card">
      <label for="name">Name</label>
      <input id="name" name="name" value="\(form.name)" autocomplete="off" maxlength="255">
      <label class="choice"><input type="checkbox" name="test" value="on"\(" checked", if: form.isTest)> \
      Test audience: offered for test sends</label>
      </section>
      <section class="card"><h2>Devices that match all conditions</h2>
      <datalist id="fields">\(fields.names.map { "<option value=\"\($0)\">" as HTML })</datalist>
      <datalist id="tags">\(fields.tags.map { "<option value=\"\($0)\">" as HTML })</datalist>
      <fieldset id="rows"><legend class="hidden">Conditions</legend>\(rows)</fieldset>
      <p class="help">Tags: \(fields.tags.isEmpty ? "none" : fields.tags.prefix(40).joined(separator: ", ")). \
      Dates are ISO 8601 or relative to now: <code>-7d</code>. A location is latitude, longitude and \
      radius in metres: <code>52.5 13.4 2000</code>. Without conditions, all devices match.</p>
      <label for="user_ids">User IDs, one per line</label>
      <textarea id="user_ids" name="user_ids" rows="3" spellcheck="false">\n\(form.userIDs)</textarea>
      <label for="file">Upload a CSV file of user IDs</label>
      <input type="file" id="file" name="file" accept=".csv,text/csv,text/plain">
      <details\(" open", if: !form.more.isEmpty)><summary>Additional filters</summary>
      <label for="more">Filters of the API, as a JSON array</label>
      <textarea id="more" name="more" rows="3" spellcheck="false">\n\(form.more)</textarea></details>
      </section>
      <p class="note" id="count" role="status">\(countText)</p>
      <div class="actions">
      <button name="action" value="count">Count</button>
      \("<button class=\"primary\" name=\"action\" value=\"save\">Save</button>", if: request.may(.write))
      \(leave)
      </div>
      \(deletion)
      </form>
      """
  }

  private var countText: String {
    guard let count else { return "Not counted" }
    return "\(count.targeted) \(count.targeted == 1 ? "device" : "devices"), "
      + "\(count.pushEnabled) reachable by push, \(count.quiet) of them quietly"
  }

  private func row(_ row: AudienceForm.Row) -> HTML {
    let comparisons = AudienceForm.Comparison.allCases.map { comparison -> HTML in
      """
      <option value="\(comparison.rawValue)"\(" selected", if: comparison == row.comparison)>\
      \(comparison.title)</option>
      """
    }
    return """
      <div class="pair three"><input name="field" value="\(row.field)" list="fields" \
      aria-label="Field" placeholder="tags" autocomplete="off">\
      <select name="comparison" aria-label="Comparison">\(comparisons)</select>\
      <input name="value" value="\(row.value)" list="tags" aria-label="Value" autocomplete="off"></div>
      """
  }

  /// The button to delete the audience, behind a disclosure that works without a script.
  private var deletion: HTML? {
    guard audience != nil, request.may(.write) else { return nil }
    return """
      <details><summary>Delete audience</summary>
      <p>Sends in progress continue.</p>
      <button class="danger" name="action" value="delete">Delete</button></details>
      """
  }
}
