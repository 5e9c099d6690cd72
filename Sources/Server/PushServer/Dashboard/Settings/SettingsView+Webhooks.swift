import Markup
import PushModel

/// The webhooks of an app: what they get, what waits for them and why, and the form that adds one.
extension SettingsView {
  var webhookSection: HTML {
    """
    <h2 id="webhooks">Webhooks</h2>
    \(webhookTable)
    \(newWebhook)
    """
  }

  private var webhookTable: HTML {
    guard !webhooks.isEmpty else {
      return """
        <p class="muted">No webhooks yet. A webhook sends events to your server: add its URL below.</p>
        """
    }
    return .table(
      "Webhooks",
      """
      <table class="list"><caption>\(webhooks.count) of at most \(Webhook.limit)</caption>
      <thead><tr><th scope="col">URL</th><th scope="col" class="wide">Events</th>\
      <th scope="col" class="wide">State</th><th scope="col" class="wide">Added</th>\
      <th scope="col"><span class="hidden">Delete</span></th></tr></thead>
      <tbody>\(webhooks.map(row))</tbody></table>
      """)
  }

  private func row(_ webhook: Webhook) -> HTML {
    let deletion = confirmation(
      "Delete", action: "delete-webhook", id: webhook.id, name: webhook.url,
      warning: "Events that were not delivered yet are discarded.")
    let events = webhook.events.map { "<li>\(WebhookEvent.words($0))</li>" as HTML }
    let state = state(backlogs[webhook.id])
    return """
      <tr><th scope="row">\(webhook.url)\(.copyID(webhook.id, of: webhook.url))\
      <div class="phone"><ul class="plain">\(events)</ul>\(state)</div></th>\
      <td class="wide"><ul class="plain">\(events)</ul></td><td class="wide">\(state)</td>\
      <td class="wide">\(.time(webhook.createdAt))</td><td class="act">\(deletion)</td></tr>

      """
  }

  private func state(_ backlog: WebhookBacklog?) -> HTML {
    guard let backlog else { return "<span class=\"tag good\">nothing waits</span>" }
    let isCut = backlog.count == WebhookBacklog.countLimit
    let calls: HTML =
      "\(backlog.count)\(" or more", if: isCut) \(backlog.count == 1 ? "call waits" : "calls wait")"
    guard backlog.failures > 0 else { return "<span class=\"tag\">\(calls)</span>" }
    return """
      <span class="tag bad">\(calls)</span><p class="help">The oldest is of \(.time(backlog.since)). \
      \(backlog.failures) \(backlog.failures == 1 ? "attempt" : "attempts") failed\
      \(backlog.failure.map { ": \($0)" }). The next is at \(.time(backlog.dueAt)).</p>
      """
  }

  private var newWebhook: HTML {
    let form = WebhookForm(request.form)
    let groups = WebhookEvent.groups.map { group -> HTML in
      let choices = group.events.map { event -> HTML in
        """
        <label class="choice"><input type="checkbox" name="event" value="\(event.name)"\
        \(" checked", if: form.events.contains(event.name))> \(event.words)</label>
        """
      }
      return "<fieldset><legend>\(group.title)</legend>\(choices)</fieldset>"
    }
    return """
      <details class="card"\(" open", if: isOpen("add-webhook"))><summary>Add a webhook</summary>
      <form method="post" action="\(path)">\(request.session.tokenField)
      <label for="url">URL</label>
      <input id="url" name="url" type="url" required placeholder="https://example.com/push-events" \
      value="\(form.url)" autocomplete="off" maxlength="2048">
      <div class="columns" id="events">\(groups)</div>
      <p><button class="primary" name="action" value="add-webhook">Add webhook</button></p>
      </form></details>
      """
  }
}
