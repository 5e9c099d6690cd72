import Markup
import PushModel

extension CampaignSchedule {
  /// The schedule in words: "every Monday, Friday at 09:00, Europe/Berlin".
  var words: String {
    let place =
      switch zone {
      case .named(let name, _): name
      case .device: "in each device's local time"
      }
    let days = [from.map { "from \($0.text)" }, until.map { "until \($0.text)" }].compactMap(\.self)
    return ([rule.words + " at " + clock, place] + days).joined(separator: ", ")
  }

  /// The minute of the day at which the campaign is sent.
  var minute: Int { Int(time.components.seconds / 60) }

  /// The next days of a campaign that starts now, at most `count`.
  func next(_ count: Int, at now: Timestamp) -> [CalendarDay] {
    guard let first = firstDay(at: now) else { return [] }
    var days = [first]
    while days.count < count, let last = days.last, let day = next(after: last, at: now).day {
      days.append(day)
    }
    return days
  }

  /// The time at which a day is sent: “Monday, 30 November 2026 at 09:00, Europe/Berlin”.
  func words(for day: CalendarDay) -> HTML {
    let moments = moments(of: day)
    guard case .named(let name, let zone) = self.zone else {
      return """
        \(day.words) at \(clock) on each device's clock, from \(.time(moments.lowerBound)) to \(.time(moments.upperBound))
        """
    }
    let shown = LocalTime.shown(at: moments.lowerBound, zone: zone)
    let shownDay = CalendarDay(at: shown)
    let change = shown == wall(of: day) ? "" : " (clocks skip \(clock) on that day)"
    return """
      \(shownDay.words) at \(shown.iso8601.dropFirst(11).prefix(5)), \(name)\(change): \(.time(moments.lowerBound))
      """
  }
}

extension CampaignSchedule.Rule {
  static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  fileprivate var words: String {
    switch self {
    case .daily: return "every day"
    case .weekly(let days):
      return "every " + days.sorted().map { Self.weekdays[$0] }.joined(separator: ", ")
    case .monthly(let day):
      return "on day \(day) of every month" + (day > 28 ? ", or its last day" : "")
    }
  }
}

extension CalendarDay {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The day in words: `Monday, 30 November 2026`.
  var words: String {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, Self.months.indices.contains(parts[1] - 1) else { return text }
    let weekday = CampaignSchedule.Rule.weekdays[weekday]
    return "\(weekday), \(parts[2]) \(Self.months[parts[1] - 1]) \(parts[0])"
  }
}
