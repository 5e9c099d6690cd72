import Testing

@testable import _PostgreSQL

@Suite("The deadlines of a pool", .timeLimit(.minutes(10)))
struct PoolDeadlinesTests {
  private let start = ContinuousClock.now
  private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test("an open pool leaves each call its own deadline")
  func open() {
    var deadlines = PoolDeadlines()
    deadlines.unanswered()
    #expect(deadlines.end(of: nil, from: at(0)) == nil)
    #expect(deadlines.end(of: at(7), from: at(0)) == at(7))
  }

  @Test(
    "a closed pool gives each call its limit while the server answers, and all together once it is away"
  )
  func closed() {
    var deadlines = PoolDeadlines()
    deadlines.close(.seconds(10), at: at(100))
    deadlines.close(.seconds(10), at: at(105))
    #expect(deadlines.end(of: nil, from: at(0)) == at(110), "it ran before")
    #expect(deadlines.end(of: nil, from: at(150)) == at(160))
    #expect(deadlines.end(of: at(155), from: at(150)) == at(155))
    deadlines.unanswered()
    #expect(deadlines.end(of: nil, from: at(150)) == at(110))
    #expect(deadlines.end(of: at(104), from: at(103)) == at(104))
    deadlines.answered()
    #expect(deadlines.end(of: nil, from: at(150)) == at(160))
  }
}
