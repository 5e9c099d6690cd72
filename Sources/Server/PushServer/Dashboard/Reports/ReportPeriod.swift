import PushModel

/// The days, in UTC, of a report, read from the query of its URL.
struct ReportPeriod: Sendable {
  static let presets = [7, 30, 90]
  static let day: Int64 = 86_400_000

  /// The number of days up to today; `nil` if the query has a first and a last day.
  var days: Int?
  var times: ClosedRange<Timestamp>

  /// - Throws: ``RequestError`` `.invalid` if the query is not a valid period.
  init(_ call: RequestContext, at now: Timestamp) throws(RequestError) {
    if call.query("from") == nil && call.query("to") == nil {
      let asked = call.query("days") ?? "30"
      guard let days = Self.presets.first(where: { String($0) == asked }) else {
        throw RequestError(.invalid, "choose 7, 30 or 90 days, or enter a first and a last day")
      }
      self.days = days
      times = (now + .milliseconds(-Self.day * Int64(days - 1)))...now
    } else {
      let asked = try call.span(default: .milliseconds(Self.day * 29), at: now)
      guard asked.lowerBound <= now else {
        throw RequestError(
          .invalid, "the first day is in the future; enter today or an earlier day")
      }
      times = asked.lowerBound...min(asked.upperBound, now)
    }
  }

  /// As many days, before the first one.
  var before: ClosedRange<Timestamp> {
    let start = times.lowerBound.floored(to: Self.day)
    let last = start + .milliseconds(-1)
    let count =
      (times.upperBound.floored(to: Self.day).since(start).components.seconds / 86_400) + 1
    return (start + .milliseconds(-Self.day * count))...last
  }

  var first: String { times.lowerBound.date }
  var last: String { times.upperBound.date }

  /// The query of the URL for the same days.
  var query: String { days.map { "days=\($0)" } ?? "from=\(first)&to=\(last)" }
}

extension Timestamp {
  /// `2026-11-21`, in UTC.
  var date: String { String(iso8601.prefix(10)) }

  /// `21 Nov`, in UTC.
  var shortDate: String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = date.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return date }
    return "\(parts[2]) \(months[parts[1] - 1])"
  }
}
