import Markup
import PushModel
import PushPayload

/// The card of the schedule: once, on certain days, or when something happens.
extension CampaignFormView {
  var schedule: HTML {
    """
    <section class="card" id="\(StepList.Step.schedule.id)" tabindex="-1"><h2 class="beside-next">Schedule</h2>
    <fieldset class="switch"><legend class="hidden">\(CampaignForm.Field.sent.title)</legend>
    \(radio(.sent, Campaign.Kind.once.rawValue, title: "Once"))\
    \(radio(.sent, Campaign.Kind.recurring.rawValue, title: "Recurring: on certain days"))\
    \(radio(.sent, Campaign.Kind.triggered.rawValue, title: "Triggered: when something happens"))</fieldset>
    \(fields.remarks(at: CampaignForm.Field.sent.rawValue))
    <div class="once-only">\(once)</div>
    <div class="recurring-only">\(recurring)</div>
    <div class="triggered-only">\(triggered)</div>
    \(limitFields)
    </section>
    """
  }

  private var once: HTML {
    """
    <div class="columns">
    <div>\(fields.time(ComposeField.scheduledAt.rawValue, ComposeField.scheduledAt.title,
      help: "If empty, when you start it. In UTC."))</div>
    <div class="push-only beside-field">\(check(.localTime))\(check(.bestTime))
    <p class="help">The hour in which its app is opened most, as it has reported</p></div></div>
    """
  }

  // MARK: Recurring

  private var recurring: HTML {
    let days = zip(CampaignSchedule.weekdays, CampaignSchedule.Rule.weekdays).map {
      day, name -> HTML in
      """
      <label><input type="checkbox" id="\(CampaignForm.dayID(day))" name="\(CampaignForm.daysField)" \
      value="\(day)"\(" checked", if: form.weekdays.contains(day))> <span>\(name)</span></label>
      """
    }
    let period: [CampaignPeriod.Unit] = [.minutes, .hours]
    let bounds: [CampaignForm.Field] = [.from, .until, .late]
    let isRefused = bounds.contains { fields.isRefused($0.rawValue) }
    let set = bounds.prefix(2).filter { !form[$0].isEmpty }.map(\.title).joined(separator: ", ")
    return """
      <div class="columns">
      <div>\(menu(.unit, [("day", "Every day"), ("week", "Every week"), ("month", "Every month")]))</div>
      <div class="month-only">\(line(.day, type: "number", more: " min=\"1\" max=\"31\"",
        help: "A shorter month has its last day."))</div>
      <div>\(line(.time, type: "time"))</div>
      </div>
      <fieldset class="switch inline week-only"><legend>Days of the week</legend>\(days)</fieldset>
      <div class="week-only">\(fields.remarks(at: CampaignForm.dayID(CampaignSchedule.weekdays[0])))</div>
      <fieldset class="switch inline"><legend>\(CampaignForm.Field.clock.title)</legend>
      \(radio(.clock, "device", title: "Each device's local time"))\
      \(radio(.clock, "zone", title: "One time zone"))</fieldset>
      \(fields.remarks(at: CampaignForm.Field.clock.rawValue))
      <div class="zone-only">\(line(.zone, more: " list=\"zones\"",
        after: "<datalist id=\"zones\"></datalist>", help: "Such as Europe/Berlin. It stays at this time when clocks change."))</div>
      <details class="more"\(" open", if: isRefused)><summary>First and last day, missed days \
      <span class="set">\(set)</span></summary>
      <div class="columns">
      <div>\(line(.from, type: "date", help: "If empty, the next one."))</div>
      <div>\(line(.until, type: "date", help: "The last one is sent, too. If empty, it goes on until you end it."))</div>
      </div>
      <div class="columns">
      <div>\(menu(.missed, [("skip", "Leave the day out"), ("late", "Send it late")]))</div>
      <div class="late-only">\(self.period(.late, unit: .lateUnit, form.late, units: period,
        help: "5 minutes to 12 hours. Only the last day is sent late, so nothing comes in a burst."))</div>
      </div></details>
      """
  }

  // MARK: Triggered

  private var triggered: HTML {
    let events = choices.conditions.events.map { "<option value=\"\($0.title)\">" as HTML }
    return """
      <datalist id="events">\(events)</datalist>
      <div class="columns">
      <div>\(menu(.entry, CampaignForm.Entry.allCases.map { ($0.rawValue, $0.title) }))</div>
      <div class="event-only">\(event(CampaignForm.triggerPrefix, title: "Event: its name, as the app reports it", hint: "cart"))</div>
      <div class="audience-only">\(entryAudience)</div>
      </div>
      <div class="event-only">\(conditions(of: CampaignForm.triggerPrefix))</div>
      <p class="help api-only">Your server enrolls people by POST /v6/campaigns/:id/trigger.</p>
      <div class="beside-each-other"><div>\(exits)</div>
      <div>\(menu(.again, [("never", "Never: once for each person"), ("after", "After some time")]))
      <div class="again-only">\(period(.againAfter, unit: .againUnit, form.againAfter, units: [.hours, .days],
      help: "From when the last message was sent; 1 minute to 720 days."))</div>
      \(check(.checksAtSend))</div></div>
      """
  }

  private var entryAudience: HTML {
    let chosen = form[.entryAudience]
    let named = choices.audiences.filter { $0.name != nil }
    let isOffered = chosen.isEmpty || named.contains { $0.id == chosen }
    let other = isOffered ? [] : [(value: chosen, title: "Audience \(chosen)")]
    return """
      \(menu(.entryAudience, [("", "Choose…")] + other + named.map { ($0.id, $0.name ?? "") }))
      <div class="enters-only">\(check(.includesCurrent))</div>
      """
  }

  private var exits: HTML {
    let count = form.exitRowCount(focus: focus)
    let rows = (0..<count).map { row -> HTML in
      let title = count == 1 ? "What ends it: event" : "What ends it, \(row + 1): event"
      let prefix = CampaignForm.exitPrefix(row)
      return """
        \(event(prefix, title: title, hint: "bought"))\(conditions(of: prefix))
        """
    }
    return """
      \(rows)
      <button class="small" name="action" value="exit-add">Another event</button>
      """
  }

  /// The name of an event; `hint` is an example.
  private func event(_ prefix: String, title: String, hint: String) -> HTML {
    fields.line(
      EventForm.fieldName(prefix, "event"), title,
      more: " list=\"events\" placeholder=\"\(hint)\"")
  }

  /// The conditions of an event.
  private func conditions(of prefix: String) -> HTML {
    let event = EventForm(prefix, in: form.form)
    let count = event.rowCount(focus: focus)
    let rows = (0..<count).map { condition(prefix, $0, isLast: $0 == count - 1) }
    let kept = event.keptConditions.map { condition -> HTML in
      """
      <p class="help">And, as written over the API: <code>\(String(decoding: condition.serialized(), as: UTF8.self))</code></p>
      """
    }
    let places = (0..<count).flatMap { row in
      ["name", "is", "value"].map { EventForm.fieldName(prefix, row: row, $0) }
    }
    let isOpen =
      !event.conditions.isEmpty || !kept.isEmpty || focus.map(places.contains) == true
    return """
      \(hidden(EventForm.fieldName(prefix, "where")))\(hidden(EventForm.fieldName(prefix, "kept")))
      <details class="event-conditions"\(" open", if: isOpen)><summary>Only under conditions</summary>
      <p class="help">All must hold, of what the app reports with the event; “items” is the number of items of a purchase. \
      Text in digits: "80".</p>
      \(rows)\(kept)</details>
      """
  }

  private func condition(_ prefix: String, _ row: Int, isLast: Bool) -> HTML {
    func name(_ part: String) -> String { EventForm.fieldName(prefix, row: row, part) }
    let comparisons = EventForm.comparisons.map { ($0.rawValue, $0.title(for: .number)) }
    let isFilled = ["name", "value"].contains { form.form[name($0)] != nil }
    let add: HTML = """
      <button class="small" name="action" value="condition-add-\(prefix)">Another condition</button>
      """
    let remove: HTML = """
      <button class="small" name="action" value="\(EventForm.removal(prefix, row: row))">Remove\
      <span class="hidden"> condition \(row + 1)</span></button>
      """
    return """
      <fieldset class="event-condition"><legend class="hidden">Condition \(row + 1)</legend>
      <div>\(fields.line(name("name"), "What is compared"))</div>
      <div>\(fields.menu(name("is"), "Comparison", choices: comparisons))</div>
      <div>\(fields.line(name("value"), "Value"))</div>\(add, if: isLast)\(remove, if: isFilled)</fieldset>
      """
  }
}

extension CampaignForm {
  /// Adds or removes a row as a button says, and returns the field that gets the focus; `nil` if the button is
  /// another one.
  mutating func changeRows(_ action: String) -> String? {
    if action == "exit-add" { return nextExitField }
    let add = "condition-add-"
    if action.hasPrefix(add) {
      return EventForm(String(action.dropFirst(add.count)), in: form).nextField
    }
    guard let removed = EventForm.removed(by: action) else { return nil }
    for part in ["name", "is", "value"] {
      set(EventForm.fieldName(removed.prefix, row: removed.row, part), nil)
    }
    return EventForm.fieldName(removed.prefix, row: removed.row, "name")
  }
}
