import Markup
import PushStore

/// The audiences that have a name.
struct AudienceList {
  var visit: Visit
  var rows: [(audience: Audience, count: AudienceCount)]
  /// What was deleted just now.
  var deleted: Audience?

  var html: HTML {
    let path = visit.path(.audiences)
    let table: HTML = .table(
      "Audiences",
      """
      <table><thead><tr><th scope="col">Name</th><th scope="col" class="number">Devices</th>\
      <th scope="col" class="number">Reached by push</th><th scope="col">Changed</th>\
      <th scope="col">Then</th></tr></thead>
      <tbody>\(rows.map(row))</tbody></table>
      """)
    let empty: HTML = """
      <div class="card empty"><h2>No audience yet</h2>
      <p>An audience is a set of devices by what is known of them: tags, attributes, the time they \
      were last opened. It is counted anew at every send.</p>
      <p><a class="button primary" href="\(path)/new">Make the first</a></p></div>
      """
    return """
      <div class="head"><h1>Audiences</h1><a class="button" href="\(path)/new">New audience</a></div>
      \(deleted.map(undo))
      \(rows.isEmpty ? empty : table)
      """
  }

  /// Where what comes back is more than a form's field holds, nothing is offered.
  private func undo(_ audience: Audience) -> HTML {
    let sealed = audience.sealed(visit)
    let told: HTML = "<p class=\"note\" role=\"status\">“\(audience.name ?? "")” is deleted.</p>"
    guard sealed.utf8.count <= Form.longestField else { return told }
    return """
      <form method="post" action="\(visit.path(.audiences))/new" class="row">
      \(visit.session.tokenField)
      <input type="hidden" name="deleted" value="\(sealed)">
      \(told)
      <button name="action" value="restore">Undo</button></form>
      """
  }

  private func row(_ row: (audience: Audience, count: AudienceCount)) -> HTML {
    """
    <tr><th scope="row"><a href="\(visit.path(.audiences))/\(row.audience.id)">\(row.audience.name ?? "")</a> \
    \("<span class=\"tag\">test</span>", if: row.audience.isTest)</th>\
    <td class="number">\(row.count.targeted)</td><td class="number">\(row.count.pushEnabled)</td>\
    <td>\(.time(row.audience.updatedAt))</td>\
    <td><a href="\(visit.path(.compose))?to=\(row.audience.id)">Compose\
    <span class="hidden"> to \(row.audience.name ?? "")</span></a></td></tr>
    """
  }
}

/// The builder.
struct AudienceView {
  var form: AudienceForm
  var audience: Audience?
  var visit: Visit
  var fields: AudienceFields
  var problem: String?
  var count: AudienceCount?

  private var path: String { visit.path(.audiences) + "/" + (audience?.id ?? "new") }

  var html: HTML {
    let rows = (form.rows + [AudienceForm.Row(), AudienceForm.Row()]).map(row)
    return """
      <p><a href="\(visit.path(.audiences))">Audiences</a></p>
      <h1>\(audience?.name ?? "New audience")</h1>
      <div id="problem" aria-live="assertive">\(problem.map(HTML.alert))</div>
      <form method="post" action="\(path)" enctype="multipart/form-data" id="audience">
      \(visit.session.tokenField)
      <input type="hidden" name="version" value="\(audience?.updatedAt.iso8601 ?? "")">
      <button class="hidden" name="action" value="count" tabindex="-1" aria-hidden="true">Count</button>
      <section class="card">
      <label for="name">Name</label>
      <input id="name" name="name" value="\(form.name)" autocomplete="off" maxlength="255">
      <label class="choice"><input type="checkbox" name="test" value="on"\(" checked", if: form.isTest)> \
      For tests: tests may be sent to it</label>
      </section>
      <section class="card"><h2>Devices of which all of this holds</h2>
      <datalist id="fields">\(fields.names.map { "<option value=\"\($0)\">" as HTML })</datalist>
      <datalist id="tags">\(fields.tags.map { "<option value=\"\($0)\">" as HTML })</datalist>
      <fieldset id="rows"><legend class="hidden">Conditions</legend>\(rows)</fieldset>
      <p class="help">Tags known here: \(fields.tags.isEmpty ? "none" : fields.tags.prefix(40).joined(separator: ", ")). \
      Dates are ISO 8601, or told from now: <code>-7d</code>. A location is latitude, longitude and \
      metres: <code>52.5 13.4 2000</code>. Without a condition it is every device.</p>
      <label for="user_ids">User ids, one a line</label>
      <textarea id="user_ids" name="user_ids" rows="3" spellcheck="false">\n\(form.userIDs)</textarea>
      <label for="file">or a CSV of them</label>
      <input type="file" id="file" name="file" accept=".csv,text/csv,text/plain">
      <details\(" open", if: !form.more.isEmpty)><summary>More filters, as JSON</summary>
      <label for="more">Filters of the API</label>
      <textarea id="more" name="more" rows="3" spellcheck="false">\n\(form.more)</textarea></details>
      </section>
      <p class="note" id="count" role="status">\(counted)</p>
      <div class="actions">
      <button name="action" value="count">Count</button>
      <button class="primary" name="action" value="save">Save</button>
      </div>
      \(deletion)
      </form>
      """
  }

  private var counted: String {
    guard let count else { return "Not counted" }
    return "\(count.targeted) \(count.targeted == 1 ? "device" : "devices"), "
      + "\(count.pushEnabled) reached by push, \(count.quiet) of them quietly"
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

  /// Asked twice, and without a script.
  private var deletion: HTML? {
    guard audience != nil else { return nil }
    return """
      <details><summary>Delete this audience</summary>
      <p>Sends to it that are under way go on.</p>
      <button class="danger" name="action" value="delete">Delete it</button></details>
      """
  }
}
