import Markup
import NetworkAddresses
import PushModel
import PushPayload

/// The page with the app's settings, API keys and webhooks.
struct SettingsView {
  var request: PageRequest
  var keys: [APIKey]
  var webhooks: [Webhook]
  var confirmation: Confirmation
  var result: SettingsPages.FormResult

  private var path: String { request.path(.settings) }

  var html: HTML {
    """
    <div class="head"><h1>Settings</h1><div class="row"><a class="button" href="\(path)/people">People</a>\
    <a class="button" href="\(path)\(LimitsPages.path)">Limits</a>\
    <a class="button" href="\(path)/audit">Audit log</a></div></div>
    \(result.problem.map { HTML.problem($0) })
    \(result.notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    \(result.secrets.enumerated().map { secretCard($0.element, at: $0.offset) })
    \(app)
    \(AppFormView(request: request, app: request.app, isOpen: isOpen("change-app")).html)
    \(AppIconView(request: request, isOpen: isOpen("change-icon")).html)
    \(request.actor.managesAllApps ? newApp : nil)
    <h2>API keys</h2>
    \(keyTable)
    \(newKey)
    <h2>Webhooks</h2>
    \(webhookTable)
    \(newWebhook)
    """
  }

  private var newApp: HTML {
    AppFormView(
      request: request, app: nil, isOpen: isOpen("add-app"),
      confirmation: confirmation.field(id: "add-app-current")
    ).html
  }

  private func secretCard(_ secret: SettingsPages.FormResult.Secret, at index: Int) -> HTML {
    """
    <section class="card" role="status">
    <label for="secret-\(index)">\(secret.title)</label>
    <div class="row"><input id="secret-\(index)" readonly value="\(secret.value)" autocomplete="off" \
    spellcheck="false"\(" autofocus", if: index == 0) aria-describedby="secret-\(index)-help">\
    <button type="button" data-copy="secret-\(index)" hidden>Copy</button></div>
    <p class="help" id="secret-\(index)-help">Copy it now. It is shown only once and cannot be retrieved \
    later.</p>
    </section>
    """
  }

  private var app: HTML {
    let app = request.app
    return .facts(
      "App",
      [
        ("Name", .text(app.name)), ("ID", "<code>\(app.id)</code>"),
        ("Bundle ID", .text(app.bundleID)), ("Team ID", .text(app.teamID)),
        ("APNs key ID", .text(app.keyID)),
        ("Rate limit", .text(app.throttlePerSecond.map { "\($0) per second" } ?? "none")),
        ("Created", .time(app.createdAt)),
      ])
  }

  /// Whether a form was refused, so that it stays open with the submitted fields.
  private func isOpen(_ action: String) -> Bool {
    result.problem != nil && request.form["action"] == action
  }

  // MARK: Keys

  private var keyTable: HTML {
    .table(
      "API keys",
      """
      <table><caption>\(keys.count) \(keys.count == 1 ? "key" : "keys"); a key is shown only when it is \
      created</caption>
      <thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">Allowed addresses</th>\
      <th scope="col" class="number">Rate limit</th><th scope="col">Created</th>\
      <th scope="col">Expires</th>\
      <th scope="col">Revoke</th></tr></thead>
      <tbody>\(keys.map(row))</tbody></table>
      """)
  }

  private func row(_ key: APIKey) -> HTML {
    let allow = key.limits.allow.map(\.description).joined(separator: ", ")
    let isOwn = key.id == request.userID
    let revocation = confirmation(
      "Revoke", action: "revoke-key", id: key.id, name: "the \(key.role.rawValue) key",
      warning: isOwn
        ? "You are signed in with this key and will lose access."
        : "Requests with this key are refused at once.")
    return """
      <tr><th scope="row">\(key.name.map { "\($0) " as HTML })<code>\(key.id)</code> \("<span class=\"tag\">yours</span>", if: isOwn)</th>\
      <td>\(key.role.rawValue)</td><td>\(allow.isEmpty ? "any" : allow)</td>\
      <td class="number">\(key.limits.perSecond.map { "\($0) per second" } ?? "none")</td>\
      <td>\(.time(key.createdAt))</td><td>\(expiry(of: key))</td>\
      <td>\(revocation)</td></tr>
      """
  }

  private func expiry(of key: APIKey) -> HTML {
    guard let time = key.limits.expiresAt else { return "never" }
    return key.limits.haveExpired(at: request.now)
      ? "\(.time(time)) <span class=\"tag\">expired</span>" : .time(time)
  }

  private var newKey: HTML {
    let form = KeyForm(request.form)
    let roles: [(role: APIKey.Role, description: String)] = [
      (.push, "push: devices, audiences and sends"), (.analytics, "analytics: reports"),
      (.device, "device: public, for use in the app"), (.admin, "admin: everything in this app"),
    ]
    let options = roles.map { role, description -> HTML in
      """
      <option value="\(role.rawValue)"\(" selected", if: role.rawValue == form.role)>\(description)</option>
      """
    }
    return """
      <details class="card"\(" open", if: isOpen("make-key"))><summary>Create a key</summary>
      <form method="post" action="\(path)">\(request.session.tokenField)
      <label for="key-name">Name</label>
      <input id="key-name" name="name" value="\(form.name)" maxlength="\(APIKey.nameLimit)" autocomplete="off" \
      placeholder="Shop backend">
      <label for="role">Role</label><select id="role" name="role">\(options)</select>
      <label for="allow">Allowed addresses, one per line</label>
      <textarea id="allow" name="allow" rows="2" spellcheck="false" aria-describedby="allow-help">\
      \n\(form.allow)</textarea>
      <p class="help" id="allow-help">Each \(APIKey.Limits.rangeForm). If empty, any address is allowed.</p>
      <label for="per_second">Rate limit (requests per second)</label>
      <input id="per_second" name="per_second" inputmode="numeric" value="\(form.perSecond)" \
      autocomplete="off" aria-describedby="per_second-help">
      <p class="help" id="per_second-help">\(APIKey.Limits.perSecondRange.lowerBound) to \
      \(APIKey.Limits.perSecondRange.upperBound). If empty, there is no limit.</p>
      <label for="expires">Expires</label>
      <input id="expires" name="expires" type="date" value="\(form.expires)" \
      aria-describedby="expires-help">
      <p class="help" id="expires-help">The key is refused from the start of this day, in UTC. If empty, it \
      never expires.</p>
      \(confirmation.field(id: "current"))
      <p><button class="primary" name="action" value="make-key">Create key</button></p>
      </form></details>
      """
  }

  // MARK: Webhooks

  private var webhookTable: HTML {
    guard !webhooks.isEmpty else {
      return """
        <p class="muted">No webhooks yet. A webhook sends events to your server: add its URL below.</p>
        """
    }
    return .table(
      "Webhooks",
      """
      <table><caption>\(webhooks.count) of at most \(Webhook.limit)</caption>
      <thead><tr><th scope="col">URL</th><th scope="col">Events</th><th scope="col">Added</th>\
      <th scope="col">Delete</th></tr></thead>
      <tbody>\(webhooks.map(row))</tbody></table>
      """)
  }

  private func row(_ webhook: Webhook) -> HTML {
    let deletion = confirmation(
      "Delete", action: "delete-webhook", id: webhook.id, name: webhook.url,
      warning: "Events that were not delivered yet are discarded.")
    return """
      <tr><th scope="row">\(webhook.url)</th><td>\(webhook.events.joined(separator: ", "))</td>\
      <td>\(.time(webhook.createdAt))</td>\
      <td>\(deletion)</td></tr>
      """
  }

  private var newWebhook: HTML {
    let form = WebhookForm(request.form)
    let events = WebhookEvent.all.map { event -> HTML in
      """
      <label class="choice"><input type="checkbox" name="event" value="\(event)"\
      \(" checked", if: form.events.contains(event))> \(event)</label>
      """
    }
    return """
      <details class="card"\(" open", if: isOpen("add-webhook"))><summary>Add a webhook</summary>
      <form method="post" action="\(path)">\(request.session.tokenField)
      <label for="url">URL</label>
      <input id="url" name="url" type="url" required placeholder="https://example.com/push-events" \
      value="\(form.url)" autocomplete="off" maxlength="2048">
      <fieldset><legend>Events</legend><div class="columns">\(events)</div></fieldset>
      <p><button class="primary" name="action" value="add-webhook">Add webhook</button></p>
      </form></details>
      """
  }

  /// A button behind a disclosure with a warning, so that one click alone changes nothing.
  private func confirmation(
    _ verb: String, action: String, id: String, name: String, warning: String
  ) -> HTML {
    """
    <details><summary>\(verb)<span class="hidden"> \(name), \(id)</span></summary>
    <form method="post" action="\(path)">\(request.session.tokenField)
    <input type="hidden" name="id" value="\(id)"><p>\(warning)</p>
    <button class="danger" name="action" value="\(action)">\(verb)</button></form></details>
    """
  }
}
