import Markup
import PushPayload
import PushStore

/// The app, its keys and its webhooks.
struct SettingsView {
  var visit: Visit
  var keys: [APIKey]
  var webhooks: [Webhook]
  var outcome: SettingsPages.Outcome

  private var path: String { visit.path(.settings) }

  var html: HTML {
    """
    <div class="head"><h1>Settings</h1><a class="button" href="\(path)/audit">Audit log</a></div>
    \(outcome.problem.map(HTML.alert))
    \(outcome.notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    \(outcome.secrets.enumerated().map { shown($0.offset, $0.element) })
    \(app)
    \(AppFormView(visit: visit, app: visit.app, isOpen: isOpen("change-app")).html)
    \(visit.key.role == .server ? newApp : nil)
    <h2>API keys</h2>
    \(keyTable)
    \(newKey)
    <h2>Webhooks</h2>
    \(webhookTable)
    \(newWebhook)
    """
  }

  private var newApp: HTML {
    AppFormView(visit: visit, app: nil, isOpen: isOpen("add-app")).html
  }

  private func shown(_ index: Int, _ secret: SettingsPages.Outcome.Secret) -> HTML {
    """
    <section class="card" role="status">
    <label for="secret-\(index)">\(secret.title)</label>
    <div class="row"><input id="secret-\(index)" readonly value="\(secret.value)" autocomplete="off" \
    spellcheck="false"\(" autofocus", if: index == 0) aria-describedby="secret-\(index)-help">\
    <button type="button" data-copy="secret-\(index)" hidden>Copy</button></div>
    <p class="help" id="secret-\(index)-help">Copy it now: it is shown this once, and kept nowhere that can be \
    read again.</p>
    </section>
    """
  }

  private var app: HTML {
    let app = visit.app
    return .facts(
      "App",
      [
        ("Name", .text(app.name)), ("Id", "<code>\(app.id)</code>"),
        ("Bundle id", .text(app.bundleID)), ("Team id", .text(app.teamID)),
        ("Key id of Apple", .text(app.keyID)),
        ("At most a second", .text(app.throttlePerSecond.map { String($0) } ?? "as many as can")),
        ("Came", .time(app.createdAt)),
      ])
  }

  /// Whether a form is shown as it was typed, for it was refused.
  private func isOpen(_ action: String) -> Bool {
    outcome.problem != nil && visit.form["action"] == action
  }

  // MARK: Keys

  private var keyTable: HTML {
    .table(
      "API keys",
      """
      <table><caption>\(keys.count) \(keys.count == 1 ? "key" : "keys"); a key itself is shown when it \
      is made, and never again</caption>
      <thead><tr><th scope="col">Id</th><th scope="col">Role</th><th scope="col">Taken from</th>\
      <th scope="col" class="number">A second</th><th scope="col">Made</th>\
      <th scope="col">Revoke</th></tr></thead>
      <tbody>\(keys.map(row))</tbody></table>
      """)
  }

  private func row(_ key: APIKey) -> HTML {
    let allow = key.limits.allow.map(\.description).joined(separator: ", ")
    let isOwn = key.id == visit.key.id
    let revocation = confirmed(
      "Revoke", "revoke-key", id: key.id, name: "the \(key.role.rawValue) key",
      isOwn
        ? "You signed in with it: it opens no page from then on."
        : "Whatever uses it is refused at once.")
    return """
      <tr><th scope="row"><code>\(key.id)</code> \("<span class=\"tag\">yours</span>", if: isOwn)</th>\
      <td>\(key.role.rawValue)</td><td>\(allow.isEmpty ? "anywhere" : allow)</td>\
      <td class="number">\(key.limits.perSecond.map { String($0) } ?? "any")</td>\
      <td>\(.time(key.createdAt))</td>\
      <td>\(revocation)</td></tr>
      """
  }

  private var newKey: HTML {
    let form = KeyForm(visit.form)
    let roles: [(role: APIKey.Role, does: String)] = [
      (.push, "push: devices, audiences and sends"), (.analytics, "analytics: reports"),
      (.device, "device: public, in the app itself"), (.admin, "admin: all of this app"),
    ]
    let options = roles.map { role, does -> HTML in
      """
      <option value="\(role.rawValue)"\(" selected", if: role.rawValue == form.role)>\(does)</option>
      """
    }
    return """
      <details class="card"\(" open", if: isOpen("make-key"))><summary>Make a key</summary>
      <form method="post" action="\(path)">\(visit.session.tokenField)
      <label for="role">Role</label><select id="role" name="role">\(options)</select>
      <label for="allow">Taken from these addresses alone, one a line</label>
      <textarea id="allow" name="allow" rows="2" spellcheck="false" aria-describedby="allow-help">\
      \n\(form.allow)</textarea>
      <p class="help" id="allow-help">Each \(APIKey.Limits.rangeForm). None is anywhere.</p>
      <label for="per_second">Requests a second, at most</label>
      <input id="per_second" name="per_second" inputmode="numeric" value="\(form.perSecond)" \
      autocomplete="off" aria-describedby="per_second-help">
      <p class="help" id="per_second-help">\(APIKey.Limits.perSecondRange.lowerBound) to \
      \(APIKey.Limits.perSecondRange.upperBound). Nothing is any number.</p>
      <p><button class="primary" name="action" value="make-key">Make the key</button></p>
      </form></details>
      """
  }

  // MARK: Webhooks

  private var webhookTable: HTML {
    guard !webhooks.isEmpty else {
      return """
        <p class="muted">None yet. A webhook tells a server of yours what happens here: add its address \
        below.</p>
        """
    }
    return .table(
      "Webhooks",
      """
      <table><caption>\(webhooks.count) of \(WebhookRoutes.limit) at most</caption>
      <thead><tr><th scope="col">Address</th><th scope="col">Hears of</th><th scope="col">Added</th>\
      <th scope="col">Delete</th></tr></thead>
      <tbody>\(webhooks.map(row))</tbody></table>
      """)
  }

  private func row(_ webhook: Webhook) -> HTML {
    let deletion = confirmed(
      "Delete", "delete-webhook", id: webhook.id, name: webhook.url,
      "What it was still to be told is forgotten.")
    return """
      <tr><th scope="row">\(webhook.url)</th><td>\(webhook.events.joined(separator: ", "))</td>\
      <td>\(.time(webhook.createdAt))</td>\
      <td>\(deletion)</td></tr>
      """
  }

  private var newWebhook: HTML {
    let form = WebhookForm(visit.form)
    let events = WebhookEvent.all.map { event -> HTML in
      """
      <label class="choice"><input type="checkbox" name="event" value="\(event)"\
      \(" checked", if: form.events.contains(event))> \(event)</label>
      """
    }
    return """
      <details class="card"\(" open", if: isOpen("add-webhook"))><summary>Add a webhook</summary>
      <form method="post" action="\(path)">\(visit.session.tokenField)
      <label for="url">Address</label>
      <input id="url" name="url" type="url" required placeholder="https://example.com/push-events" \
      value="\(form.url)" autocomplete="off" maxlength="2048">
      <fieldset><legend>Hears of</legend><div class="columns">\(events)</div></fieldset>
      <p><button class="primary" name="action" value="add-webhook">Add the webhook</button></p>
      </form></details>
      """
  }

  /// A button behind another one, so that nothing goes by one press.
  private func confirmed(
    _ verb: String, _ action: String, id: String, name: String, _ warning: String
  ) -> HTML {
    """
    <details><summary>\(verb)<span class="hidden"> \(name), \(id)</span></summary>
    <form method="post" action="\(path)">\(visit.session.tokenField)
    <input type="hidden" name="id" value="\(id)"><p>\(warning)</p>
    <button class="danger" name="action" value="\(action)">\(verb) it</button></form></details>
    """
  }
}
