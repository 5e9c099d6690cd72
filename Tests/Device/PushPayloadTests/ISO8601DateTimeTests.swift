import Foundation
import PushPayload
import Testing

@Suite("ISO 8601 dates and times")
struct ISO8601DateTimeTests {
  @Test(
    "every form is read, and written in one",
    arguments: [
      // A date alone is midnight UTC.
      ("1970-01-01", 0, 0, "1970-01-01T00:00:00.000Z"),
      ("2026-11-21", 1_795_219_200_000, 0, "2026-11-21T00:00:00.000Z"),
      // The separator.
      ("2026-11-21T09:30:00Z", 1_795_253_400_000, 0, "2026-11-21T09:30:00.000Z"),
      ("2026-11-21t09:30:00z", 1_795_253_400_000, 0, "2026-11-21T09:30:00.000Z"),
      ("2026-11-21 09:30:00", 1_795_253_400_000, 0, "2026-11-21T09:30:00.000Z"),
      ("2026-11-21T09:30", 1_795_253_400_000, 0, "2026-11-21T09:30:00.000Z"),
      // Fractions: any number of digits, of which three count.
      ("2026-11-21T09:30:00.5Z", 1_795_253_400_500, 0, "2026-11-21T09:30:00.500Z"),
      ("2026-11-21T09:30:00,25Z", 1_795_253_400_250, 0, "2026-11-21T09:30:00.250Z"),
      ("2026-11-21T09:30:00.9999Z", 1_795_253_400_999, 0, "2026-11-21T09:30:00.999Z"),
      ("2026-11-21T09:30:00.1234567890123Z", 1_795_253_400_123, 0, "2026-11-21T09:30:00.123Z"),
      // Offsets, with one space before them as Ruby writes it.
      ("2026-11-21T09:30:00+01:00", 1_795_249_800_000, 3600, "2026-11-21T08:30:00.000Z"),
      ("2026-11-21T09:30:00-0530", 1_795_273_200_000, -19_800, "2026-11-21T15:00:00.000Z"),
      ("2026-11-21T09:30-00:00", 1_795_253_400_000, 0, "2026-11-21T09:30:00.000Z"),
      ("2026-11-21 09:30:00 +0100", 1_795_249_800_000, 3600, "2026-11-21T08:30:00.000Z"),
      ("2026-11-21 09:30:00 Z", 1_795_253_400_000, 0, "2026-11-21T09:30:00.000Z"),
      ("2026-11-21T00:00:00+23:59", 1_795_132_860_000, 86_340, "2026-11-20T00:01:00.000Z"),
      // The second 60 is the first of the next minute.
      ("2016-12-31T23:59:60Z", 1_483_228_800_000, 0, "2017-01-01T00:00:00.000Z"),
      ("2016-12-31T23:59:60.5Z", 1_483_228_800_500, 0, "2017-01-01T00:00:00.500Z"),
      // Leap days.
      ("2000-02-29", 951_782_400_000, 0, "2000-02-29T00:00:00.000Z"),
      ("2024-02-29T23:59:59Z", 1_709_251_199_000, 0, "2024-02-29T23:59:59.000Z"),
      // The first and the last year, and the year 0, which is 1 BC.
      ("0000-01-01", -62_167_219_200_000, 0, "0000-01-01T00:00:00.000Z"),
      ("0001-01-01", -62_135_596_800_000, 0, "0001-01-01T00:00:00.000Z"),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999, 0, "9999-12-31T23:59:59.999Z"),
      ("1969-12-31T23:59:59.999Z", -1, 0, "1969-12-31T23:59:59.999Z"),
    ] as [(String, Int64, Int, String)])
  func reading(text: String, milliseconds: Int64, offset: Int, written: String) {
    let time = ISO8601DateTime(text)
    #expect(time?.milliseconds == milliseconds)
    #expect(time?.offset == offset)
    #expect(time?.text == written)
  }

  @Test(
    "any other text is refused",
    arguments: [
      "", "now", "1795253400", "2026", "2026-11", "2026-11-2", "26-11-21", "+026-11-21",
      "12026-11-21", "٢٠٢٦-١١-٢١", "2026/11/21", "20261121", "2026-W47-6", "2026-325",
      // Days that the calendar does not have.
      "2026-00-10", "2026-13-01", "2026-11-00", "2026-11-31", "2026-02-29", "1900-02-29",
      "2100-02-29",
      // Times.
      "2026-11-21T", "2026-11-21T09", "2026-11-21T09Z", "2026-11-21T9:30", "2026-11-21T0930",
      "2026-11-21T24:00:00Z", "2026-11-21T09:60", "2026-11-21T09:30:61Z", "2026-11-21T09:30:0Z",
      "2026-11-21T09:30:", "2026-11-21T09:30:00.", "2026-11-21T09:30:00.Z", "2026-11-21T09:30.5Z",
      // Offsets.
      "2026-11-21Z", "2026-11-21+01:00", "2026-11-21T09:30:00+", "2026-11-21T09:30:00+01",
      "2026-11-21T09:30:00+01:0", "2026-11-21T09:30:00+24:00", "2026-11-21T09:30:00+00:60",
      "2026-11-21T09:30:00 01:00", "2026-11-21T09:30:00  Z", "2026-11-21T09:30:00 UTC",
      "2026-11-21T09:30:00ZZ", "2026-11-21T09:30:00Z ", "2026-11-21T09:30:00 ", " 2026-11-21",
      "2026-11-21 ",
    ])
  func refusing(text: String) {
    #expect(ISO8601DateTime(text) == nil)
  }

  @Test("years that four digits cannot write are written as the nearest that they can")
  func writingFarYears() {
    #expect(ISO8601DateTime(milliseconds: .min).text.hasPrefix("0000-"))
    #expect(ISO8601DateTime(milliseconds: .max).text.hasPrefix("9999-"))
    #expect(ISO8601DateTime(milliseconds: 253_402_300_800_000).text == "9999-01-01T00:00:00.000Z")
  }

  @Test("texts sort as moments do")
  func order() {
    let moments: [Int64] = [-62_135_596_800_000, -1, 0, 1, 999, 1_795_253_400_000]
    let texts = moments.map { ISO8601DateTime(milliseconds: $0).text }
    #expect(texts == texts.sorted())
  }
}

@Suite("Dates of the calendar")
struct CivilDateTests {
  @Test("a day of 800 years is the day that Foundation's calendar names")
  func foundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var wrong: [Int64] = []
    for day in stride(from: Int64(-60_000), through: 240_000, by: 13) {
      let date = CivilDate(daysSince1970: day)
      let moment = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: moment)
      let dayOfYear = calendar.ordinality(of: .day, in: .year, for: moment)
      let isSame =
        date.year == parts.year && date.month == parts.month && date.day == parts.day
        && date.weekday + 1 == parts.weekday && date.dayOfYear == dayOfYear
      if !isSame || date.daysSince1970 != day { wrong.append(day) }
    }
    #expect(wrong == [])
  }

  @Test("days from the year 0 to 9999 convert to their date and back")
  func roundTrip() throws {
    let first = try #require(CivilDate(year: 0, month: 1, day: 1)).daysSince1970
    let last = try #require(CivilDate(year: 9999, month: 12, day: 31)).daysSince1970
    var wrong = 0
    for day in stride(from: first, through: last, by: 11) {
      let date = CivilDate(daysSince1970: day)
      let same = CivilDate(year: date.year, month: date.month, day: date.day)
      if same != date || date.daysSince1970 != day { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(last - first == 3_652_424)
  }
}
