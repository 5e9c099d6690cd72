import PushModel
import Testing

@testable import MartletCommands

@Suite("The retention options of serve")
struct RetentionOptionsTests {
  private func read(_ line: [String]) throws -> Retention {
    try RetentionOptions.read(Arguments(line, options: RetentionOptions.all))
  }

  @Test("the defaults are those of the store, in days")
  func defaults() throws {
    #expect(try read([]) == Retention())
    #expect(
      RetentionOptions.all.map(\.definition.defaultText) == ["90", "90", "30", "90", "365", "7"])
  }

  @Test("each option sets one period, from a day to ten years")
  func days() throws {
    let names = RetentionOptions.all.map(\.definition.name)
    let values: [KeyPath<Retention, Duration>] = [
      \.outcomes, \.receipts, \.messages, \.uploads, \.audit, \.idempotencyKeys,
    ]
    for (name, value) in zip(names, values) {
      #expect(try read([name, "1"])[keyPath: value] == .days(1))
      #expect(try read([name, "3650"])[keyPath: value] == .days(3650))
      #expect(try read([name, "3650"]) != Retention())
      for wrong in ["0", "3651", "-1", "x", "1.5"] {
        #expect(throws: UsageError.self) { try read([name, wrong]) }
      }
    }
  }
}
