import Testing

@testable import PushModel

@Suite("The times in which nothing is sent")
struct QuietWindowsTests {
  private static let start = Timestamp(milliseconds: 1_700_000_000_000)
  private static func time(_ hour: Int) -> Timestamp { Self.start + .seconds(hour * 3600) }

  private static func windows(_ hours: [Range<Int>]) -> QuietWindows {
    QuietWindows(hours.map { time($0.lowerBound)..<time($0.upperBound) }, otherwise: .wait)
  }

  /// Nights of 10 hours, of which the third is an hour shorter, and those after it are an hour earlier.
  private static let nights = windows([0..<10, 24..<34, 48..<57, 71..<81, 95..<105])

  @Test(
    "a time in a window waits for its end, and any other time does not",
    arguments: [
      (-1, nil), (0, 10), (9, 10), (10, nil), (23, nil), (24, 34), (47, nil), (48, 57), (56, 57),
      (57, nil), (70, nil), (71, 81), (95, 105), (105, nil),
      // After the last window they repeat by the day.
      (118, nil), (119, 129), (128, 129), (129, nil), (95 + 24 * 400, 105 + 24 * 400),
      (94 + 24 * 400, nil),
    ] as [(Int, Int?)])
  func end(hour: Int, end: Int?) {
    #expect(Self.nights.end(at: Self.time(hour)) == end.map(Self.time))
  }

  @Test("the last millisecond of a window waits, and the first one after it does not")
  func edges() {
    let end = Self.time(10)
    #expect(Self.nights.end(at: end + .milliseconds(-1)) == end)
    #expect(Self.nights.end(at: end) == nil)
    #expect(Self.nights.end(at: Self.time(0) + .milliseconds(-1)) == nil)
  }

  @Test("windows that touch or overlap are waited for together")
  func chain() {
    let windows = Self.windows([0..<10, 10..<12, 11..<40])
    #expect(windows.end(at: Self.time(1)) == Self.time(40))
  }

  @Test("a window of a day or more does not repeat without an end")
  func longWindow() {
    let windows = Self.windows([0..<25])
    #expect(windows.end(at: Self.time(1)) == Self.time(25))
    #expect(windows.end(at: Self.time(25)) == nil && windows.end(at: Self.time(49)) == nil)
  }

  @Test("no windows hold nothing back")
  func none() { #expect(Self.windows([]).end(at: Self.start) == nil) }

  @Test("equal windows are stored as one, and are read as they were")
  func text() throws {
    let text = Self.nights.text
    #expect(text.split(separator: " ").count == 4)
    #expect(QuietWindows(text: text) == Self.nights)
    let many = QuietWindows(
      (0..<36).map { Self.time($0 * 24)..<Self.time($0 * 24 + 10) }, otherwise: .drop)
    #expect(many.text.utf8.count < 40 && many.text.hasPrefix("drop "))
    #expect(QuietWindows(text: many.text) == many)
  }

  @Test(
    "other texts are no windows",
    arguments: [
      "", "later", "wait 1", "wait 1,2", "wait 2,1,1", "wait 1,2,0", "wait a,b,c", "wait 1,2,3,4",
      "wait 9,10,1 1,2,1", "wait 99999999999999999999,1,1", "wait 1,x,2,3",
      "wait 1,281474976710656,1",
      "wait -281474976710656,1,1", "wait 1,2,100001",
    ])
  func hostile(text: String) { #expect(QuietWindows(text: text) == nil) }

  @Test(
    "nothing is ever sent in all times, also as they are read again",
    arguments: [0, 1_700_000_000_000, 4_000_000_000_000] as [Int64])
  func always(milliseconds: Int64) {
    let time = Timestamp(milliseconds: milliseconds)
    #expect(QuietWindows.always.end(at: time) != nil && QuietWindows.always.otherwise == .drop)
    #expect(QuietWindows(text: QuietWindows.always.text) == .always)
  }

  @Test("the times and the days of windows have a limit")
  func limits() {
    #expect(QuietWindows(text: "wait -281474976710655,281474976710655,100000") != nil)
  }

  @Test("quiet hours are read as they were stored, and other texts are none")
  func hours() {
    let hours = QuietHours(from: 1320, to: 480, otherwise: .drop)
    #expect(QuietHours(text: hours.text) == hours)
    for text in [
      "", "1320-480", "1320-480 never", "a-b wait", "1-2-3 wait", "1440-1 wait", "1-1441 wait",
    ] {
      #expect(QuietHours(text: text) == nil)
    }
  }
}
