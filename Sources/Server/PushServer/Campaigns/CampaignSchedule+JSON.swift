import Foundation
import PushModel

extension CampaignSchedule {
  static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  /// The value of `zone` that means each device's own zone.
  static let deviceZone = "device"

  /// Reads the `when` of a recurring campaign.
  ///
  /// - Throws: ``RequestError`` with the path of the member that is refused.
  init(_ field: BodyValue) throws(RequestError) {
    for name in ["at", "local_time", "best_time"] {
      if let other = field[name] {
        throw .refused(other.path, "must not be with every, which says when the campaign is sent")
      }
    }
    let every = try field.required("every")
    rule = try Rule(every)
    let time = try every.required("time")
    guard let match = try time.string().wholeMatch(of: /([01]\d|2[0-3]):([0-5]\d)/),
      let hour = Int(match.1), let minute = Int(match.2)
    else { throw .refused(time.path, "must be a time from 00:00 to 23:59") }
    self.time = .seconds(hour * 3600 + minute * 60)
    zone = try Zone(try every.required("zone"))
    from = try field["from"].map { value throws(RequestError) in try CalendarDay(value) }
    until = try field["until"].map { value throws(RequestError) in try CalendarDay(value) }
    if let from, let until, until < from {
      throw .refused(field.path(to: "until"), "must not be before from")
    }
    lateness =
      try field["missed"].map { value throws(RequestError) in
        try Self.lateness(value)
      } ?? Self.leastLateness
  }

  private static func lateness(_ field: BodyValue) throws(RequestError) -> Duration {
    let text = try field.string()
    if text == "skip" { return leastLateness }
    let prefix = "late "
    guard text.hasPrefix(prefix),
      let duration = BodyValue.duration(of: String(text.dropFirst(prefix.count)))
    else {
      throw .refused(field.path, "must be \"skip\", or \"late\" and a duration: \"late PT2H\"")
    }
    guard (leastLateness...lateLimit).contains(duration) else {
      throw .refused(field.path, "must be from 5 minutes to 12 hours late")
    }
    return duration
  }
}

extension CampaignSchedule.Rule {
  fileprivate init(_ every: BodyValue) throws(RequestError) {
    let unit = try every.required("unit").word(of: ["day", "week", "month"])
    if let days = every["days"], unit != "week" {
      throw .refused(days.path, "must be only with the unit week")
    }
    if let day = every["day"], unit != "month" {
      throw .refused(day.path, "must be only with the unit month")
    }
    switch unit {
    case "week":
      let field = try every.required("days")
      var days: Set<Int> = []
      for element in try field.elements(upTo: 7) {
        let word = try element.word(of: CampaignSchedule.weekdays)
        guard let day = CampaignSchedule.weekdays.firstIndex(of: word) else { continue }
        guard days.insert(day).inserted else {
          throw .refused(element.path, "is there twice")
        }
      }
      guard !days.isEmpty else { throw .refused(field.path, "must have a day at least") }
      self = .weekly(days)
    case "month": self = .monthly(Int(try every.required("day").integer(in: 1...31)))
    default: self = .daily
    }
  }
}

extension CampaignSchedule.Zone {
  fileprivate init(_ field: BodyValue) throws(RequestError) {
    let text = try field.string()
    if text == CampaignSchedule.deviceZone {
      self = .device
      return
    }
    guard let name = DeviceTimeZone.normalized(text), let zone = TimeZone(identifier: name) else {
      throw .refused(
        field.path, "must be \(DeviceTimeZone.form), or \"device\" for each device's own")
    }
    self = .named(name, zone)
  }
}

extension CalendarDay {
  fileprivate init(_ field: BodyValue) throws(RequestError) {
    guard let day = CalendarDay(try field.string()) else {
      throw .refused(field.path, "must be a day such as 2026-03-29")
    }
    self = day
  }
}
