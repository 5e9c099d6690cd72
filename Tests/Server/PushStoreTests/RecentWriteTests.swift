import Testing

@testable import PushModel
@testable import PushStore

@Suite("What is known of the last writes", .timeLimit(.minutes(10)))
struct RecentWriteTests {
  private let start = ContinuousClock.now

  @Test("a write that found no room counts for ten seconds, whatever a smaller one found")
  func full() {
    let writes = RecentWrite()
    writes.failed(StoreError(.unwritable, "full"), at: start)
    writes.succeeded()
    #expect(writes.problem(at: start + .milliseconds(9999))?.message == "full")
    #expect(writes.problem(at: start + .seconds(10)) == nil)
  }

  @Test(
    "another failure says nothing of the disk", arguments: [StoreError.Code.locked, .unavailable])
  func others(code: StoreError.Code) {
    let writes = RecentWrite()
    writes.failed(StoreError(code, "other"), at: start)
    writes.failed(nil, at: start)
    #expect(writes.problem(at: start) == nil && !writes.isKnown)
  }
}
