import Foundation
import Liquid
import PushPayload
import TestSupport
import Testing

/// Compares the filter `date` with Ruby, in which Shopify's Liquid is written.
@Suite("Dates of Liquid compared with Ruby")
struct DateTests {
  private func rows(_ name: String) throws -> [[String]] {
    let file = try JSONValue(parsing: Data(try Fixtures.bytes("liquid/dates.json")))
    return try #require(file[name]?.array).map { $0.array?.compactMap(\.string) ?? [] }
  }

  private func shown(_ text: String, as format: String) throws -> String {
    try render("{{ text | date: format }}", ["text": .string(text), "format": .string(format)])
  }

  @Test("a text is the moment that Ruby's Time.parse reads")
  func reading() throws {
    let rows = try rows("read")
    for row in rows { #expect(try shown(row[0], as: "%F %T.%N %z") == row[1], "\(row[0])") }
    #expect(rows.count > 300)
  }

  @Test("a format with flags and widths shows what Ruby's strftime does")
  func formats() throws {
    let rows = try rows("shown")
    for row in rows { #expect(try shown(row[0], as: row[1]) == row[2], "\(row[0]) \(row[1])") }
    #expect(rows.count > 600)
  }

  static let zones: [(zone: String, offset: String)] = [
    ("CET", "+0100"), ("CEST", "+0200"), ("BST", "+0100"), ("WEST", "+0100"), ("EEST", "+0300"),
    ("GMT+0200", "+0200"), ("UTC-05:30", "-0530"), ("gmt+02", "+0200"), ("I", "+0900"),
    ("K", "+1000"),
  ]

  @Test("a name of a zone, and an offset behind GMT, is the offset", arguments: zones)
  func zone(name: String, offset: String) throws {
    let text = try shown("2016-09-07 08:43:50 \(name)", as: "%F %T %z")
    #expect(text == "2016-09-07 08:43:50 \(offset)")
  }

  @Test(
    "a text with a part that is not understood, or without a moment, stays as it is",
    arguments: [
      "2016-02-30", "2015-02-29", "2016-13-01", "2016-00-10", "2016-09-00", "2016-09", "2016-251",
      "2016-W36-3", "09/07/2016", "7.9.2016", "16-09-07", "2016-09/07", "2016--09-07",
      "02016-09-07",
      "2016-09-071", "2016-09-07 24:00", "2016-09-07 08:60", "2016-09-07 08:43:61",
      "2016-09-07 008:43", "2016-09-07 8:4", "2016-09-07 13:00 pm", "2016-09-07-05:00",
      "2016-09-07 -05:00", "2016-09-07 08:43:50 IST", "2016-09-07 08:43:50 J",
      "2016-09-07 08:43:50 UTC UTC",
      "2016-09-07 08:43:50 EST+0200", "2016-09-07 08:43:50 +5", "2016-09-07 08:43:50 +24:00",
      "2016-09-07 08:43:50 +0260", "2016-09-07 08:43:50 +02:00:30",
      "2016-09-07 08:43:50 Europe/Berlin",
      "2016-09-07 08:43:50 “UTC”", "2016-09-07 08:43:50\u{A0}UTC", "2016-09-07 08:43:50.",
      "2016-09-07Z",
      "tomorrow", "",
    ])
  func unread(text: String) throws {
    #expect(try shown(text, as: "%F") == text)
  }

  @Test("seconds since 1970 keep their fraction")
  func fraction() throws {
    #expect(try render("{{ 1473237830.5 | date: '%T %L %6N' }}") == "08:43:50 500 500000")
    #expect(try render("{{ 0 | date: '%L' }} {{ -0.25 | date: '%s %L' }}") == "000 -1 750")
  }

  @Test("a width makes at most the longest value that a template may have")
  func width() throws {
    var limits = Template.Limits()
    limits.output = 20
    #expect(
      try render("{{ 0 | date: '%20d' }}", limits: limits) == String(repeating: "0", count: 19)
        + "1")
    for format in ["%21d", "%2147483647d", "ab%19e"] {
      let thrown = #expect(throws: LiquidError.self) {
        try render("{{ 0 | date: '\(format)' }}", limits: limits)
      }
      #expect(thrown?.code == .limit)
    }
    // A width beyond 32 bits is not a width, as in Ruby.
    #expect(try render("{{ 0 | date: '%2147483648d' }}", limits: limits) == "%2147483648d")
  }
}
