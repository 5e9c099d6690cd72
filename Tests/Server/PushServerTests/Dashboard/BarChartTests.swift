import Markup
import Foundation
import FoundationXML
import Testing

@testable import PushServer

@Suite("Bar charts")
struct BarChartTests {
  private func chart(_ counts: [Int]) -> BarChart {
    BarChart(
      id: "c", title: "Opens by day", unit: "opens",
      bars: counts.enumerated().map { .init(label: "day \($0)", short: "\($0)", count: $1) })
  }

  private func values(_ name: String, in markup: String) throws -> [Double] {
    let pattern = try Regex("<rect[^>]* \(name)=\"([0-9.]+)\"", as: (Substring, Substring).self)
    return markup.matches(of: pattern).compactMap { Double($0.output.1) }
  }

  @Test("a chart without bars says that there is no data")
  func none() {
    let markup = chart([]).html.markup
    #expect(!markup.contains("<svg") && markup.contains("No data."))
  }

  @Test(
    "every chart is well-formed, inside its frame, with a bar for each count above 0",
    arguments: [
      (1, 0), (1, 1), (3, 0), (1, Int.max), (3, Int.max), (2, -5), (7, 1), (30, 12), (366, 40),
      (366, Int.max),
    ])
  func drawing(days: Int, most: Int) throws {
    let counts = (0..<days).map { $0 % 2 == 0 ? most : $0 }
    let markup = chart(counts).html.markup
    let parser = XMLParser(data: Data(markup.utf8))
    #expect(parser.parse(), "\(markup.prefix(500))")
    let heights = try values("height", in: markup)
    #expect(heights.count == counts.count { $0 > 0 })
    #expect(heights.allSatisfy { (1...144).contains($0) })
    let lefts = try values("x", in: markup)
    let widths = try values("width", in: markup)
    #expect(zip(lefts, widths).allSatisfy { $0 >= 48 && $0 + $1 <= 468.01 })
    #expect(!markup.contains("style=") && !markup.contains("nan") && !markup.contains("inf"))
    let names = markup.matches(of: /y="196"/).count
    #expect((1...7).contains(names))
  }

  @Test("the text alternative has the title, the range and the maximum")
  func textAlternative() {
    #expect(chart([2, 9, 9]).html.markup.contains("3 bars, day 0 to day 2: maximum 9, day 1."))
    #expect(chart([4]).html.markup.contains(">day 0: maximum 4, day 0.<"))
    let none = chart([0, 0]).html.markup
    #expect(none.contains("2 bars, day 0 to day 1: all zero.") && !none.contains("<rect"))
    #expect(none.contains("aria-labelledby=\"c-title\" aria-describedby=\"c-desc\""))
    #expect(none.contains("<title id=\"c-title\">Opens by day</title>"))
  }

  @Test("markup in a label is escaped")
  func markup() {
    var chart = chart([1])
    chart.unit = "</text><script>"
    #expect(!chart.html.markup.contains("<script>"))
  }

  @Test(
    "the axis has round, whole numbers and ends at the largest count or past it",
    arguments: [
      (-1, ["0", "1"]), (0, ["0", "1"]), (1, ["0", "1"]), (2, ["0", "1", "2"]),
      (5, ["0", "1", "2", "3", "4", "5"]), (6, ["0", "2", "4", "6"]),
      (11, ["0", "5", "10", "15"]), (9_999, ["0", "2 k", "4 k", "6 k", "8 k", "10 k"]),
      (10_001, ["0", "5 k", "10 k", "15 k"]),
      (1_000_000, ["0", "0.2 M", "0.4 M", "0.6 M", "0.8 M", "1 M"]),
      (1_700_000, ["0", "0.5 M", "1 M", "1.5 M", "2 M"]),
      (Int.max, ["0", "2 E", "4 E", "6 E", "8 E", "10 E"]),
    ])
  func scale(largest: Int, texts: [String]) {
    let scale = RoundScale(upTo: largest)
    #expect(scale.ticks.map(\.text) == texts)
    #expect(scale.top >= Double(largest))
  }
}

@Suite("CSV tables")
struct CSVTableTests {
  @Test(
    "fields are quoted, and formulas are escaped",
    arguments: [
      ("a", "\"a\""), ("", "\"\""), ("a\"b,c\n", "\"a\"\"b,c\n\""), ("=1+1", "\"'=1+1\""),
      ("+1", "\"'+1\""), ("-1", "\"'-1\""), ("@SUM(A1)", "\"'@SUM(A1)\""), ("\t=1", "\"'\t=1\""),
      ("\r\n=1", "\"'\r\n=1\""), ("=\u{301}1", "\"'=\u{301}1\""), ("＝1", "\"'＝1\""),
      ("1=1", "\"1=1\""),
    ])
  func fields(text: String, field: String) {
    #expect(CSVTable(rows: [[text, "x"]]).text == field + ",\"x\"\r\n")
  }
}
