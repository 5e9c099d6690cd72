import Markup
import PushModel

/// The page with the app's settings, API keys and webhooks.
struct SettingsView {
  var request: PageRequest
  var keys: [APIKey]
  var webhooks: [Webhook]
  var confirmation: Confirmation
  var result: SettingsPages.FormResult
  /// The calls that wait, by the ids of their webhooks.
  var backlogs: [String: WebhookBacklog] = [:]

  var path: String { request.path(.settings) }

  var html: HTML {
    """
    <div class="head"><h1>Settings</h1><div class="row"><a class="button" href="\(path)/people">Team</a>\
    <a class="button" href="\(path)\(LimitsPages.path)">Limits</a>\
    <a class="button" href="\(path)\(AuditPages.path)">Audit log</a></div></div>
    \(result.problem.map { HTML.problem($0, at: result.field) })
    \(result.notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    \(result.secrets.enumerated().map { secretCard($0.element, at: $0.offset) })
    \(app)
    \(AppFormView(request: request, app: request.app, isOpen: isOpen("change-app")).html)
    \(AppIconView(request: request, isOpen: isOpen("change-icon")).html)
    \(request.actor.managesAllApps ? newApp : nil)
    \(keySection)
    \(webhookSection)
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
        ("Name", .text(app.name)),
        ("Bundle ID", .text(app.bundleID)), ("Team ID", .text(app.teamID)),
        ("APNs key ID", .text(app.keyID)),
        ("Rate limit", .text(app.throttlePerSecond.map { "\($0) pushes per second" } ?? "none")),
        ("Created", .time(app.createdAt)),
        ("ID", .copyID(app.id, of: app.name)),
      ])
  }

  /// Whether a form was refused or is shown again, so that it stays open with the submitted fields.
  func isOpen(_ action: String) -> Bool {
    request.form[SavedForm.pressed] == action
      || (result.problem != nil && request.form["action"] == action)
  }

  /// A button behind a disclosure with a warning, so that one click alone changes nothing.
  func confirmation(
    _ verb: String, action: String, id: String, name: String, warning: String
  ) -> HTML {
    """
    <details class="confirm-row"><summary>\(verb)<span class="hidden"> \(name)</span></summary>
    <form method="post" action="\(path)">\(request.session.tokenField)
    <input type="hidden" name="id" value="\(id)"><p>\(warning)</p>
    <button class="danger" name="action" value="\(action)">\(verb)</button></form></details>
    """
  }
}
