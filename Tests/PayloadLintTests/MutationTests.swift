import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

@Suite("Mutation of every payload: martlet lint never traps")
struct MutationTests {
  /// A few hundred, or a tenth of what `make fuzz` asks for.
  static let rounds =
    ProcessInfo.processInfo.environment["MARTLET_MUTATIONS"].flatMap { Int($0) }.map { $0 / 10 }
    ?? 500

  @Test("whatever a payload holds")
  func mutations() throws {
    let seeds = (LintFixture.rules + LintFixture.dialects).compactMap { fixture in
      (try? JSONValue(parsing: Data(fixture.bytes))).map { ($0, fixture.headers) }
    }
    var mutation = PayloadMutation(seed: 11)
    for number in 0..<Self.rounds {
      let (json, headers) = seeds[number % seeds.count]
      let bytes = mutation.mutate(json).serialized()
      let report = LintReport(LintSubject(bytes, headers: headers))
      #expect(report.entries.allSatisfy { $0.position.line == 1 && $0.position.column >= 1 })
    }
  }

  @Test("whatever bytes a file holds")
  func bytes() {
    var random = SeededGenerator(seed: 12)
    for number in 0..<Self.rounds {
      let fixture = LintFixture.rules[number % LintFixture.rules.count]
      var bytes = fixture.bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard let index = bytes.indices.randomElement(using: &random) else { break }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes = Array(bytes.prefix(index))
        }
      }
      _ = LintReport(LintSubject(bytes, headers: fixture.headers))
    }
  }
}
