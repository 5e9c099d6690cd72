import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The days and moments of recurring campaigns")
struct CampaignScheduleTests {
  private static func schedule(_ when: JSONValue) throws -> CampaignSchedule {
    try CampaignSchedule(BodyValue(when))
  }

  private static func time(_ text: String) throws -> Timestamp {
    try #require(Timestamp(iso8601: text))
  }

  /// What `Tests/Scripts/occurrences.py` has written.
  static let recorded: [JSONValue] = {
    let bytes = (try? Fixtures.bytes("campaigns/occurrences.json")) ?? []
    return (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))?.array ?? []
  }()

  @Test(
    "days and moments are those of dateutil's recurrence rules and of Python's zoneinfo",
    arguments: recorded.indices)
  func published(_ index: Int) throws {
    let recorded = Self.recorded[index]
    let schedule = try Self.schedule(try #require(recorded["when"]))
    var days: [String] = []
    var day = schedule.firstDay(at: try Self.time("2025-12-01T00:00:00Z"))
    while let found = day {
      let moment = schedule.moments(of: found).lowerBound
      days.append("\(found.text) \(moment.iso8601)")
      day = schedule.next(after: found, at: moment).day
    }
    let expected = try #require(recorded["occurrences"]?.array).compactMap(\.string)
    #expect(days == expected && !expected.isEmpty)
  }

  @Test("the recorded days are all there")
  func count() { #expect(Self.recorded.count == 12) }

  /// The changes of 2026 in the time zone database: `northamerica`, `europe` and `australasia`.
  static let changes: [(zone: String, day: String, time: String, moment: String)] = [
    // Clocks skip 2:00 to 3:00.
    ("Europe/Berlin", "2026-03-29", "01:59", "2026-03-29T00:59:00.000Z"),
    ("Europe/Berlin", "2026-03-29", "02:00", "2026-03-29T01:00:00.000Z"),
    ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:30:00.000Z"),
    ("Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T01:00:00.000Z"),
    // Clocks show 2:00 to 3:00 twice.
    ("Europe/Berlin", "2026-10-25", "01:59", "2026-10-24T23:59:00.000Z"),
    ("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00.000Z"),
    ("Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T02:00:00.000Z"),
    ("America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30:00.000Z"),
    ("America/New_York", "2026-03-08", "03:00", "2026-03-08T07:00:00.000Z"),
    ("America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00.000Z"),
    ("America/New_York", "2026-11-01", "02:00", "2026-11-01T07:00:00.000Z"),
    // Clocks move by half an hour: back at 2:00 on 5 April, forward at 2:00 on 4 October.
    ("Australia/Lord_Howe", "2026-04-05", "01:29", "2026-04-04T14:29:00.000Z"),
    ("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00.000Z"),
    ("Australia/Lord_Howe", "2026-04-05", "02:00", "2026-04-04T15:30:00.000Z"),
    ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45:00.000Z"),
    ("Australia/Lord_Howe", "2026-10-04", "02:30", "2026-10-03T15:30:00.000Z"),
    ("Asia/Tokyo", "2026-03-29", "02:30", "2026-03-28T17:30:00.000Z"),
    ("Asia/Tokyo", "2026-10-25", "02:30", "2026-10-24T17:30:00.000Z"),
  ]

  @Test(
    "a day has one moment, also where clocks skip its time or show it twice", arguments: changes)
  func oneMoment(zone: String, day: String, time: String, moment: String) throws {
    let schedule = try Self.schedule([
      "every": ["unit": "day", "time": .string(time), "zone": .string(zone)]
    ])
    let day = try #require(CalendarDay(day))
    #expect(schedule.moments(of: day).lowerBound.iso8601 == moment)
    #expect(schedule.moments(of: day).upperBound.iso8601 == moment)
    // The days around it are other occurrences.
    #expect(schedule.next(after: day + -1, at: try Self.time(moment)).day == day)
    #expect(schedule.next(after: day, at: try Self.time(moment)).day == day + 1)
  }

  @Test("a day that a zone skipped as a whole, as Samoa did on 30 December 2011, is not sent twice")
  func skippedDay() throws {
    let schedule = try Self.schedule([
      "every": ["unit": "day", "time": "09:00", "zone": "Pacific/Apia"]
    ])
    let before = try #require(CalendarDay("2011-12-29"))
    let now = schedule.moments(of: before).lowerBound
    #expect(now.iso8601 == "2011-12-29T19:00:00.000Z")
    var (day, moments) = (before, [now.iso8601])
    for _ in 0..<3 {
      day = try #require(schedule.next(after: day, at: now).day)
      moments.append(schedule.moments(of: day).lowerBound.iso8601)
    }
    #expect(
      moments == [
        "2011-12-29T19:00:00.000Z", "2011-12-30T19:00:00.000Z", "2011-12-31T19:00:00.000Z",
        "2012-01-01T19:00:00.000Z",
      ])
  }

  @Test("the first day is one whose time is not over in any zone that it is sent in")
  func first() throws {
    func first(_ zone: String, at now: String) throws -> String? {
      try Self.schedule(["every": ["unit": "day", "time": "09:00", "zone": .string(zone)]])
        .firstDay(at: try Self.time(now))?.text
    }
    #expect(try first("Europe/Berlin", at: "2026-06-10T07:00:00Z") == "2026-06-10")
    #expect(try first("Europe/Berlin", at: "2026-06-10T07:00:00.001Z") == "2026-06-11")
    // The clocks of Hawaii show the day before, those of Kiritimati the day after.
    #expect(try first("Pacific/Honolulu", at: "2026-06-10T05:00:00Z") == "2026-06-10")
    #expect(try first("Pacific/Honolulu", at: "2026-06-10T09:00:00Z") == "2026-06-10")
    #expect(try first("Pacific/Pago_Pago", at: "2026-06-10T01:00:00Z") == "2026-06-10")
    #expect(try first("Pacific/Kiritimati", at: "2026-06-10T19:00:00Z") == "2026-06-11")
    #expect(try first("Pacific/Kiritimati", at: "2026-06-10T19:00:00.001Z") == "2026-06-12")
    // The first clocks show 9:00 fourteen hours before UTC does.
    #expect(try first("device", at: "2026-06-10T19:00:00Z") == "2026-06-11")
    #expect(try first("device", at: "2026-06-10T19:00:00.001Z") == "2026-06-12")
  }

  @Test("a day is missed once it is later than allowed, and the next one is that which is not")
  func missed() throws {
    let schedule = try Self.schedule([
      "every": ["unit": "day", "time": "09:00", "zone": "UTC"], "missed": "late PT2H",
      "until": "2026-06-15",
    ])
    let day = try #require(CalendarDay("2026-06-10"))
    #expect(!schedule.isMissed(day, at: try Self.time("2026-06-10T11:00:00Z")))
    #expect(schedule.isMissed(day, at: try Self.time("2026-06-10T11:00:00.001Z")))
    var next = schedule.next(after: day, at: try Self.time("2026-06-13T11:00:00Z"))
    #expect(next.day?.text == "2026-06-13" && next.missed == 2)
    next = schedule.next(after: day, at: try Self.time("2026-06-13T11:00:00.001Z"))
    #expect(next.day?.text == "2026-06-14" && next.missed == 3)
    next = schedule.next(after: day, at: try Self.time("2026-06-15T11:00:00.001Z"))
    #expect(next.day == nil && next.missed == 5)
  }

  @Test("no moment of a day is later than allowed when the moment of the next day comes")
  func lateLimit() throws {
    let schedule = try Self.schedule([
      "every": ["unit": "day", "time": "02:30", "zone": "Europe/Berlin"], "missed": "late PT12H",
    ])
    let day = try #require(CalendarDay("2026-03-28"))
    let next = schedule.moments(of: day + 1).lowerBound
    #expect(schedule.isMissed(schedule.moments(of: day).upperBound, at: next))
  }

  static let refused: [(when: JSONValue, error: String)] = [
    (["every": [:]], "$.every.unit is missing"),
    (["every": ["unit": "hour"]], "$.every.unit must be one of day, week, month"),
    (["every": ["unit": "week"]], "$.every.days is missing"),
    (["every": ["unit": "week", "days": []]], "$.every.days must have a day at least"),
    (
      ["every": ["unit": "week", "days": ["mon", "mon"]]], "$.every.days[1] is there twice"
    ),
    (
      ["every": ["unit": "week", "days": ["Monday"]]],
      "$.every.days[0] must be one of mon, tue, wed, thu, fri, sat, sun"
    ),
    (["every": ["unit": "month"]], "$.every.day is missing"),
    (
      ["every": ["unit": "month", "day": 32]], "$.every.day must be a whole number, 1 to 31"
    ),
    (
      ["every": ["unit": "month", "day": 0]], "$.every.day must be a whole number, 1 to 31"
    ),
    (["every": ["unit": "day", "day": 1]], "$.every.day must be only with the unit month"),
    (
      ["every": ["unit": "day", "days": ["mon"]]], "$.every.days must be only with the unit week"
    ),
    (["every": ["unit": "day"]], "$.every.time is missing"),
    (
      ["every": ["unit": "day", "time": "24:00"]],
      "$.every.time must be a time from 00:00 to 23:59"
    ),
    (
      ["every": ["unit": "day", "time": "9:00"]], "$.every.time must be a time from 00:00 to 23:59"
    ),
    (["every": ["unit": "day", "time": "09:00"]], "$.every.zone is missing"),
    (
      ["every": ["unit": "day", "time": "09:00", "zone": "Berlin"]],
      "$.every.zone must be \(DeviceTimeZone.form), or \"device\" for each device's own"
    ),
    (
      ["every": daily, "from": "2026-02-30"], "$.from must be a day such as 2026-03-29"
    ),
    (
      ["every": daily, "until": "2026-03-29T00:00:00Z"], "$.until must be a day such as 2026-03-29"
    ),
    (
      ["every": daily, "from": "2026-03-02", "until": "2026-03-01"],
      "$.until must not be before from"
    ),
    (
      ["every": daily, "missed": "PT2H"],
      "$.missed must be \"skip\", or \"late\" and a duration: \"late PT2H\""
    ),
    (
      ["every": daily, "missed": "late PT4M59S"], "$.missed must be from 5 minutes to 12 hours late"
    ),
    (
      ["every": daily, "missed": "late PT12H1S"], "$.missed must be from 5 minutes to 12 hours late"
    ),
    (
      ["every": daily, "at": "now"],
      "$.at must not be with every, which says when the campaign is sent"
    ),
    (
      ["every": daily, "local_time": true],
      "$.local_time must not be with every, which says when the campaign is sent"
    ),
  ]

  private static let daily: JSONValue = ["unit": "day", "time": "09:00", "zone": "UTC"]

  @Test("what is wrong with a schedule is said with its path", arguments: refused)
  func refusals(when: JSONValue, error: String) {
    #expect(
      performing: { try Self.schedule(when) }, throws: { ($0 as? RequestError)?.message == error })
  }

  @Test(
    "a zone is read as that of a device is",
    arguments: DeviceTimeZoneTests.zones)
  func zone(text: String, name: String?) {
    let every: JSONValue = ["unit": "day", "time": "09:00", "zone": .string(text)]
    let schedule = try? Self.schedule(["every": every])
    if case .named(let read, _)? = schedule?.zone {
      #expect(read == name)
    } else {
      #expect(schedule == nil && name == nil)
    }
  }

  @Test("the limits of a schedule are allowed", arguments: ["late PT5M", "late PT12H", "skip"])
  func limits(missed: String) throws {
    let schedule = try Self.schedule([
      "every": ["unit": "month", "day": 31, "time": "23:59", "zone": "device"],
      "from": "2026-03-01", "until": "2026-03-01", "missed": .string(missed),
    ])
    #expect(schedule.rule == .monthly(31) && schedule.zone == .device)
    #expect(schedule.lateness >= CampaignSchedule.leastLateness)
  }
}
