import Testing

@testable import PushStore

@Suite("Writes that wait for a transaction")
struct WaitingWritesTests {
  /// Takes every group; a group of low priority is negative.
  private func groups(usual: [Int], low: [Int], upTo limit: Int) -> [[Int]] {
    var waiting = WaitingWrites<Int>()
    for write in usual { waiting.append(write, isLow: false) }
    for write in low { waiting.append(-write, isLow: true) }
    #expect(waiting.count == usual.count + low.count)
    var groups: [[Int]] = []
    while !waiting.isEmpty {
      let next = waiting.next(upTo: limit)
      #expect(next.areLow == next.writes.allSatisfy { $0 < 0 })
      groups.append(next.writes)
    }
    #expect(waiting.next(upTo: limit).writes.isEmpty)
    return groups
  }

  @Test("the two priorities take turns, and a write of low priority is a group of its own")
  func turns() {
    #expect(
      groups(usual: [1, 2, 3], low: [4, 5, 6], upTo: 2) == [[1, 2], [-4], [3], [-5], [-6]])
    #expect(groups(usual: [1, 2, 3], low: [], upTo: 3) == [[1, 2, 3]])
    #expect(groups(usual: [1, 2, 3, 4], low: [], upTo: 3) == [[1, 2, 3], [4]])
    #expect(groups(usual: [], low: [1, 2], upTo: 3) == [[-1], [-2]])
  }

  @Test("a write of low priority waits for one group, however many others arrive")
  func fairness() {
    var waiting = WaitingWrites<Int>()
    waiting.append(0, isLow: false)
    waiting.append(-1, isLow: true)
    #expect(waiting.next(upTo: 512).writes == [0])
    for write in 1...1000 { waiting.append(write, isLow: false) }
    #expect(waiting.next(upTo: 512).writes == [-1])
    #expect(waiting.next(upTo: 512).writes.count == 512)
  }
}
