import PushModel
import _HTTPServer

/// The calendar of what goes out, by month and by week.
enum CalendarPages {
  static let path = "/calendar"

  static let all: [Route] = [.page("GET", .sends, at: path, handler: show)]

  private static func show(_ request: PageRequest) async throws -> HTTPResponse {
    let length =
      request.call.query("view").flatMap(CalendarSpan.Length.init(rawValue:)) ?? .month
    let today = CalendarDay(at: request.now)
    let day = request.call.query("day").flatMap { CalendarDay($0) } ?? today
    // Years with four digits, as dates have in ISO 8601.
    guard let first = CalendarDay("1970-02-01"), let last = CalendarDay("9990-01-01"),
      (first...last).contains(day)
    else { throw RequestError(.invalid, "the calendar has the days from 1970 to 9989") }
    let span = CalendarSpan(length, with: day)
    // A script moves entries to the days of the viewer's time zone, which may begin a day earlier or later.
    let (start, end) = (span.days.first ?? day, span.days.last ?? day)
    let view = CalendarView(
      request: request, span: span, today: today,
      schedule: try await Schedule(of: request, in: (start + -1).start..<(end + 2).start))
    return WebPage(
      title: "Calendar", section: .sends, main: view.html, scripts: ["calendar.js"]
    ).response(for: request)
  }
}
