import PushStore

extension CampaignSchedule {
  /// The schedule as people say it: "every Monday, Friday at 09:00, Europe/Berlin".
  var words: String {
    let clock = wall(of: CalendarDay(number: 0)).iso8601.dropFirst(11).prefix(5)
    let place =
      switch zone {
      case .named(let name): name
      case .device: "in each device's local time"
      }
    let days = [from.map { "from \($0.text)" }, until.map { "until \($0.text)" }].compactMap(\.self)
    return ([rule.words + " at " + clock, place] + days).joined(separator: ", ")
  }
}

extension CampaignSchedule.Rule {
  private static let weekdays = [
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
