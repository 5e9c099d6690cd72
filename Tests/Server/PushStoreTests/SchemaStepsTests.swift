import Testing

@testable import PushModel
@testable import PushStore

@Suite("The steps of a schema")
struct SchemaStepsTests {
  private let first = SchemaSteps.firstVersion
  /// Four versions, of which the third cannot be used by programs of the first two.
  private let steps = SchemaSteps([
    .init("1"), .init("2"), .init("3", isBreaking: true), .init("4"),
  ])

  @Test(
    "a database can be used by programs from the last breaking step on",
    arguments: [(0, 0), (1, 0), (2, 2), (3, 2)])
  func oldestUser(version: Int, oldest: Int) {
    #expect(steps.oldestUser(of: first + version) == first + oldest)
  }

  @Test(
    "only a breaking step needs the nodes to end, and none of an empty database does",
    arguments: [(0, true), (1, true), (2, false), (3, false)])
  func needsNodesToEnd(version: Int, needs: Bool) {
    #expect(steps.needsNodesToEnd(at: first + version) == needs)
    #expect(!steps.needsNodesToEnd(at: 0))
  }

  @Test(
    "a newer database is taken where its oldest user is not newer than the program, and not past that",
    arguments: [(0, true), (3, true), (4, false)])
  func newer(oldest: Int, isTaken: Bool) {
    let isAccepted =
      (try? steps.check(
        first + 9, oldestUser: first + oldest, of: "the database", replacement: "another")) != nil
    #expect(isAccepted == isTaken)
  }

  @Test("the oldest version that is taken is the first one")
  func older() {
    #expect(throws: Never.self) {
      try steps.check(first, oldestUser: first, of: "the database", replacement: "another")
    }
    let error = #expect(throws: StoreError.self) {
      try steps.check(first - 1, oldestUser: first - 1, of: "it", replacement: "another")
    }
    #expect(error?.code == .olderVersion)
  }
}
