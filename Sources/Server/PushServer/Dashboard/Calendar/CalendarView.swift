import Markup
import PushModel

/// The days of a month or a week, each with what goes out on it.
struct CalendarView {
  var request: PageRequest
  var span: CalendarSpan
  var today: CalendarDay
  var schedule: Schedule

  private var path: String { MessageTab.calendar.path(request) }

  var html: HTML {
    let days = span.days
    let shown = Dictionary(grouping: schedule.entries) { CalendarDay(at: $0.time) }
    let beyond = schedule.entries.filter { !days.contains(CalendarDay(at: $0.time)) }
    return """
      \(MessageTab.calendar.bar(request))
      <div class="head"><h1>\(span.title)</h1><div class="row">\(steps)\(lengths)</div></div>
      <p class="help" id="calendar-zone">Days and times are in UTC.</p>
      \(schedule.isCut ? cut : nil)
      <ol class="calendar \(span.length.rawValue)">\(days.map { cell($0, shown[$0] ?? []) })</ol>
      <ul hidden id="calendar-beyond">\(beyond.map(item))</ul>
      \(beyond.count == schedule.entries.count ? empty : nil)
      """
  }

  private var steps: HTML {
    """
    <a class="button" href="\(path)?\(span.previous.query)" rel="prev">Previous</a>\
    <a class="button" href="\(path)?view=\(span.length.rawValue)">Today</a>\
    <a class="button" href="\(path)?\(span.next.query)" rel="next">Next</a>
    """
  }

  /// The links to the month and to the week with the first day that is shown, or with today.
  private var lengths: HTML {
    let day = span.has(today) ? today : span.start
    let links = CalendarSpan.Length.allCases.map { length -> HTML in
      """
      <a class="button" href="\(path)?\(CalendarSpan(length, with: day).query)"\
      \(" aria-current=\"true\"", if: length == span.length)>\(length == .month ? "Month" : "Week")</a>
      """
    }
    return "<div class=\"row\" role=\"group\" aria-label=\"Length\">\(links)</div>"
  }

  private var cut: HTML {
    """
    <p class="note">More than \(Schedule.limit) sends are planned here, and only the first are shown. Open a week to see the others.</p>
    """
  }

  private var empty: HTML {
    let compose: HTML = """
      <p><a class="button primary" href="\(request.path(.compose))">Compose</a></p>
      """
    return """
      <div class="card empty"><h2>Nothing is planned here</h2>
      <p>A message with a time under “Send at”, and a campaign that has started, stand on their days.</p>
      \(compose, if: request.mayOpen(.compose))</div>
      """
  }

  private func cell(_ day: CalendarDay, _ entries: [CalendarEntry]) -> HTML {
    let classes: HTML = span.has(day) ? "" : " class=\"other\""
    let current: HTML = day == today ? " aria-current=\"date\"" : ""
    let words = day.words.split(separator: ",")
    return """
      <li data-day="\(day.text)"\(classes)\(current)>\
      <h2><span class="weekday">\(words.first ?? "") </span>\(day.dayOfMonth)\
      <span class="month"> \(words.last?.split(separator: " ").dropFirst().joined(separator: " ") ?? "")</span></h2>\
      <ul>\(entries.map(item))</ul></li>

      """
  }

  private func item(_ entry: CalendarEntry) -> HTML {
    """
    <li\(" class=\"over\"", if: entry.isOver) data-at="\(entry.time.iso8601)"\(" data-local", if: entry.isLocal)>\
    <a href="\(entry.path)">\(entry.timeText) <strong>\(entry.title)</strong></a>\
    <span class="hidden"> \(entry.kind)</span> \(entry.tag)</li>
    """
  }
}
