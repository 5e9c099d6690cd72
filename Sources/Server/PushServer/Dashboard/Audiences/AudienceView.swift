import Markup
import PushModel

/// The page of an audience: its name, its conditions, and a list of user IDs.
struct AudienceView {
  var form: AudienceForm
  var audience: Audience?
  /// The form of which the builder is a part.
  var owner: NewAudience?
  var request: PageRequest
  var conditions: ConditionsView
  var count: ConditionsCount
  var problem: (message: String, field: String?)?
  /// The version that the user knows; `nil` if it is the audience's current version.
  var version: String?

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
    """
    <p><a href="\(request.path(.audiences))">Audiences</a></p>
    <h1>\(audience?.name ?? "New audience")</h1>
    \(problem.map { HTML.problem($0.message, at: $0.field) })
    <form method="post" action="\(path)" enctype="multipart/form-data" novalidate id="audience">
    \(request.session.tokenField)\(carried)
    <input type="hidden" name="version" value="\(version ?? audience?.updatedAt.iso8601 ?? "")">
    <input type="hidden" name="audience_id" value="\(audience?.id ?? "")">
    <button class="hidden" name="action" value="count" tabindex="-1" aria-hidden="true">Count</button>
    <section class="card">
    <label for="name">Name</label>
    <input id="name" name="name" value="\(form.name)" autocomplete="off" maxlength="255">
    <label class="choice"><input type="checkbox" name="test" value="on"\(" checked", if: form.isTest)> \
    Test audience: offered for test sends</label>
    </section>
    <section class="card"><h2>Who is in it</h2>
    \(conditions.html)
    <details\(" open", if: !form.userIDs.isEmpty)><summary>Only certain users</summary>
    <label for="user_ids">User IDs, one per line</label>
    <textarea id="user_ids" name="user_ids" rows="3" spellcheck="false">\n\(form.userIDs)</textarea>
    <label for="file">Upload a CSV file of user IDs</label>
    <input type="file" id="file" name="file" accept=".csv,text/csv,text/plain"></details>
    </section>
    \(count.html)
    <div class="actions">
    \("<button class=\"primary\" name=\"action\" value=\"save\">Save</button>", if: request.may(.write))
    <button name="action" value="count">Count</button>
    \(leave)
    </div>
    \(deletion)
    </form>
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
