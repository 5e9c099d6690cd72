import Testing

@testable import PushModel

@Suite("The hours in which an app is opened")
struct OpenHoursTests {
  private func hours(_ openings: [(hour: Int, count: Int)]) -> OpenHours {
    var hours = OpenHours()
    for (hour, count) in openings {
      for _ in 0..<count {
        hours.addOpening(at: Timestamp(milliseconds: Int64(hour) * 3_600_000 + 1))
      }
    }
    return hours
  }

  static let cases: [(openings: [(hour: Int, count: Int)], best: Int?)] = [
    ([], nil),
    // One opening fewer than needed, and as many as needed.
    ([(8, 2)], nil), ([(8, 3)], 8), ([(1, 1), (9, 1), (17, 1)], 1),
    ([(8, 3), (20, 4)], 20),
    // Openings in the hours beside it count by half.
    ([(8, 4), (20, 3), (21, 3)], 20), ([(8, 4), (19, 1), (20, 3), (21, 2)], 20),
    // The day is a circle.
    ([(12, 4), (23, 3), (0, 3)], 0),
    ([(23, 5)], 23),
  ]

  @Test("the best hour is the one with the most openings, once there are enough", arguments: cases)
  func best(openings: [(hour: Int, count: Int)], best: Int?) {
    #expect(hours(openings).best == best)
  }

  @Test("a count of 15 is the most: with the next opening all are halved")
  func halves() {
    var hours = hours([(8, 15), (20, 9)])
    #expect(hours.counts[8] == 15 && hours.counts[20] == 9)
    hours.addOpening(at: Timestamp(milliseconds: 8 * 3_600_000))
    #expect(hours.counts[8] == 8 && hours.counts[20] == 4)
    for _ in 0..<12 { hours.addOpening(at: Timestamp(milliseconds: 20 * 3_600_000)) }
    #expect(hours.best == 20)
  }

  @Test("stored counts are read as they were, and other bytes as no openings")
  func packs() {
    let hours = hours([(0, 1), (1, 15), (8, 7), (23, 12)])
    #expect(hours.packed.count == 12)
    #expect(OpenHours(packed: hours.packed) == hours)
    for bytes in [[], [UInt8](repeating: 255, count: 11), [UInt8](repeating: 255, count: 13)] {
      #expect(OpenHours(packed: bytes) == nil)
    }
  }

  @Test("a time before 1970 is no opening")
  func past() {
    var hours = OpenHours()
    hours.addOpening(at: Timestamp(milliseconds: -1))
    hours.addOpening(at: Timestamp(milliseconds: -5 * 3_600_000))
    #expect(hours == OpenHours())
  }
}
