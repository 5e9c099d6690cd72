import Foundation
import PushModel
import PushPayload

/// The days on which a recurring campaign is sent.
extension CampaignForm {
  /// The field with the days of the week, once for each.
  static let daysField = "every_days"

  static func dayID(_ day: String) -> String { "\(daysField)_\(day)" }

  var weekdays: [String] {
    CampaignSchedule.weekdays.filter(form.all(Self.daysField).contains)
  }

  var late: CampaignPeriod {
    CampaignPeriod(
      amount: self[.late], unit: CampaignPeriod.Unit(rawValue: self[.lateUnit]) ?? .hours)
  }

  /// Fills the fields from a schedule, or with the defaults if the campaign has no schedule yet.
  mutating func fillSchedule(_ schedule: CampaignSchedule?) {
    let unit: String
    switch schedule?.rule {
    case .daily: unit = "day"
    case .monthly(let day):
      unit = "month"
      self[.day] = String(day)
    case .weekly(let days):
      unit = "week"
      for day in days.sorted() { append(Self.daysField, CampaignSchedule.weekdays[day]) }
    case nil: unit = "week"
    }
    self[.unit] = unit
    self[.time] = schedule?.clock ?? "09:00"
    self[.clock] = "device"
    if case .named(let zone, _)? = schedule?.zone { (self[.clock], self[.zone]) = ("zone", zone) }
    if let day = schedule?.from { self[.from] = day.text }
    if let day = schedule?.until { self[.until] = day.text }
    let isLate = schedule.map { $0.lateness > CampaignSchedule.leastLateness } ?? false
    let late = CampaignPeriod(isLate ? schedule?.lateness ?? .zero : .seconds(2 * 3600))
    self[.missed] = isLate ? "late" : "skip"
    (self[.late], self[.lateUnit]) = (late.amount, late.unit.rawValue)
  }

  /// The members of `when`; `every` has the members of the stored `every` for which the form has no field.
  func schedule(keeping every: [String: JSONValue]) -> [String: JSONValue] {
    var every = every
    every["unit"] = .string(self[.unit])
    if self[.unit] == "week" { every["days"] = .array(weekdays.map(JSONValue.string)) }
    if self[.unit] == "month" { every["day"] = .entered(self[.day]) }
    every["time"] = .string(self[.time])
    every["zone"] = .string(
      self[.clock] == "zone" ? self[.zone] : CampaignSchedule.deviceZone)
    var when: [String: JSONValue] = ["every": .object(every)]
    for (member, field) in [("from", Field.from), ("until", .until)] where !self[field].isEmpty {
      when[member] = .string(self[field])
    }
    when["missed"] = self[.missed] == "late" ? .string("late \(late.iso8601)") : "skip"
    return when
  }

  /// The mistakes in the schedule at a time.
  func scheduleProblems(at now: Timestamp) -> [Remark] {
    var all: [Remark] = []
    func refuse(_ message: String, at field: Field) {
      all.append(.refusal(message, at: field.rawValue))
    }
    if self[.unit] == "week", weekdays.isEmpty {
      all.append(
        .refusal(
          "Choose the days of the week on which it is sent.",
          at: Self.dayID(CampaignSchedule.weekdays[0])))
    }
    if self[.unit] == "month", Int(self[.day]).map({ (1...31).contains($0) }) != true {
      refuse("Day of the month: enter a whole number from 1 to 31.", at: .day)
    }
    if self[.time].wholeMatch(of: /([01]\d|2[0-3]):[0-5]\d/) == nil {
      refuse("Time: enter a time such as 09:00.", at: .time)
    }
    if self[.clock] == "zone" {
      if self[.zone].isEmpty {
        refuse(
          "Time zone: enter one such as Europe/Berlin, or choose each device's local time.",
          at: .zone)
      } else if DeviceTimeZone.normalized(self[.zone]) == nil {
        refuse(
          "Time zone: “\(self[.zone].prefix(64))” is no time zone. Enter one such as Europe/Berlin.",
          at: .zone)
      }
    } else if isTested {
      refuse(
        "A test cannot be sent in each device's local time: it would be decided before the last time zones got it.",
        at: .clock)
    }
    for field in [Field.from, .until] where !self[field].isEmpty {
      if CalendarDay(self[field]) == nil {
        refuse("\(field.title): enter a day such as 2026-11-30.", at: field)
      }
    }
    if let from = CalendarDay(self[.from]), let until = CalendarDay(self[.until]), until < from {
      refuse("The last day is before the first one.", at: .until)
    }
    if self[.missed] == "late", !late.isAllowed(300...43_200) {
      refuse("At most late by: enter a time from 5 minutes to 12 hours.", at: .late)
    }
    guard all.isEmpty,
      let schedule = try? CampaignSchedule(BodyValue(.object(schedule(keeping: [:])))),
      schedule.firstDay(at: now) == nil
    else { return all }
    refuse(
      "No day of this schedule is still to come: change its days, the first day or the last day.",
      at: .until)
    return all
  }
}

extension CampaignSchedule {
  /// The time of the day as clocks show it: `09:00`.
  var clock: String { String(wall(of: CalendarDay(number: 0)).iso8601.dropFirst(11).prefix(5)) }
}
