import Markup
import PushModel

/// The home page: what goes out, what needs a decision, what failed, and the last week.
struct HomeView {
  var request: PageRequest
  /// `nil` if the user may not see what is sent.
  var work: HomeWork?
  /// Empty if the user may not see reports.
  var week: [WeekChange]

  var html: HTML {
    """
    <div class="head"><h1>\(request.app.name)</h1></div>
    \(work.flatMap { $0.hasDevices ? nil : FirstSteps(request: request).html })
    <div class="home">
    \(work.map(columns))
    \(week.isEmpty ? nil : weekCard)
    </div>
    """
  }

  private func columns(_ work: HomeWork) -> HTML {
    """
    <div>
    \(card("Needs a decision", work.decisions, none: "Nothing waits for a decision."))
    \(next(work.next))
    </div>
    <div>
    \(card("Running", work.running, none: "Nothing is being sent now."))
    \(card("Failed in the last 7 days", work.failures, none: "Nothing has failed."))
    </div>
    """
  }

  private func card(_ title: HTML, _ items: [HomeWork.Item], none: HTML) -> HTML {
    let rows = items.prefix(HomeWork.limit).map { item -> HTML in
      """
      <li><a href="\(item.path)">\(item.title)</a> \(item.tag)<div class="muted">\(item.detail)</div></li>

      """
    }
    let more: HTML? =
      items.count > HomeWork.limit
      ? "<p class=\"help\">And \(items.count - HomeWork.limit) more.</p>" : nil
    let list: HTML =
      rows.isEmpty ? "<p class=\"muted\">\(none)</p>" : "<ul class=\"items\">\(rows)</ul>"
    return "<section class=\"card\"><h2>\(title)</h2>\(list)\(more)</section>\n"
  }

  private func next(_ entries: [CalendarEntry]) -> HTML {
    let rows = entries.map { entry -> HTML in
      """
      <li><a href="\(entry.path)">\(entry.title)</a> \(entry.tag)<div class="muted">\(entry.dateText)</div></li>

      """
    }
    let list: HTML =
      rows.isEmpty
      ? "<p class=\"muted\">Nothing is scheduled.</p>" : "<ul class=\"items\">\(rows)</ul>"
    return """
      <section class="card"><h2>Goes out next</h2>\(list)
      <p><a href="\(MessageTab.calendar.path(request))">Calendar</a></p></section>
      """
  }

  private var weekCard: HTML {
    let today = CalendarDay(at: request.now)
    let (first, last) = ((today + -7).start.shortDate, (today + -1).start.shortDate)
    return """
      <section class="card week"><h2>The last 7 days, beside the 7 before</h2>
      <dl class="counts">\(week.map(\.html))</dl>
      <p class="help">\(first) to \(last), in UTC. <a href="\(request.path(.reports))?days=30">Reports</a></p></section>
      """
  }
}

/// The first steps of an app without devices.
struct FirstSteps {
  var request: PageRequest

  var html: HTML {
    let keys: HTML =
      request.mayOpen(.settings)
      ? "<a href=\"\(request.path(.settings))\">a device key</a>" : "a device key, from an admin"
    let imports: HTML =
      request.may(.manage)
      ? "<a href=\"\(ImportPages.path(request))\">import those of another service</a>"
      : "an admin imports those of another service"
    let compose: HTML =
      request.mayOpen(.compose)
      ? "<a href=\"\(request.path(.compose))\">Compose a message</a>"
      : "An author composes a message"
    return """
      <section class="card"><h2>No device has registered yet: the first three steps</h2>
      <ol class="points">
      <li><strong>Register devices.</strong> Add MartletKit to the app, with \(keys). Or \(imports).</li>
      <li><strong>Mark your own phone as a test device.</strong> Find it under
      <a href="\(request.path(.devices))">\(Section.devices.title)</a>, and open its page.</li>
      <li><strong>Send a test.</strong> \(compose), look at its preview, and press “Send test”.</li>
      </ol></section>
      """
  }
}
