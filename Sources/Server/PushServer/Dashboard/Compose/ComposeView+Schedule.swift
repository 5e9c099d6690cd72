import Markup

/// The step of the schedule.
extension ComposeView {
  var schedule: HTML {
    let further: [ComposeField] = [.expiresAt, .throttle, .sendName, .labels]
    let set = further.filter { !form[$0].isEmpty }.map(\.title).joined(separator: ", ")
    let isRefused = further.contains { fields.isRefused($0.rawValue) }
    return """
      <section class="card" id="\(StepList.Step.schedule.id)" tabindex="-1"><h2>Schedule</h2>
      <div class="columns">
      <div>\(time(.scheduledAt, help: "If empty, now. In UTC."))</div>
      <div class="message-only">\(time(.unpublishAt, help: "If empty, in three months. In UTC."))</div>
      <div class="push-only beside-field">\(fields.check(ComposeField.localTime.rawValue, ComposeField.localTime.title))</div>
      </div>
      <details class="more push-only"\(" open", if: isRefused)><summary>Expiry, rate limit, name and labels \
      <span class="set">\(set)</span></summary>
      <div class="columns">
      <div>\(time(.expiresAt, help: "Devices that stay offline until then do not receive it. In UTC."))</div>
      <div>\(fields.line(ComposeField.throttle.rawValue, ComposeField.throttle.title, type: "number",
        more: " min=\"1\" max=\"1000000\"", help: "If empty, as fast as APNs accepts."))</div>
      <div>\(line(.sendName, help: "What the list of sends calls it; devices do not get it."))</div>
      <div>\(line(.labels, help: "Words by which it is found again, separated by commas."))</div>
      </div></details>
      </section>
      """
  }

  private func line(_ field: ComposeField, help: String) -> HTML {
    fields.line(field.rawValue, field.title, help: help)
  }

  private func time(_ field: ComposeField, help: String) -> HTML {
    fields.time(field.rawValue, field.title, help: help)
  }
}
