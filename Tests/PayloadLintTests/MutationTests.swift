import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

@Suite("martlet lint with mutated payloads")
struct MutationTests {
  /// The number of mutations: 500, or a tenth of `MARTLET_MUTATIONS`, which `make fuzz` sets.
  static let rounds =
    ProcessInfo.processInfo.environment["MARTLET_MUTATIONS"].flatMap { Int($0) }.map { $0 / 10 }
    ?? 500

  @Test("never traps on any payload")
  func mutations() throws {
    let seeds = (LintFixture.rules + LintFixture.dialects).compactMap { fixture in
      (try? JSONValue(parsing: Data(fixture.bytes))).map { ($0, fixture.headers) }
    }
    var mutation = PayloadMutation(seed: 11)
    for number in 0..<Self.rounds {
      let (json, headers) = seeds[number % seeds.count]
      let bytes = mutation.mutate(json).serialized()
      let report = LintReport(LintSubject(bytes, headers: headers, now: LintFixture.now))
      #expect(report.entries.allSatisfy { $0.position.line == 1 && $0.position.column >= 1 })
    }
  }

  @Test("never traps on any bytes")
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
      _ = LintReport(LintSubject(bytes, headers: fixture.headers, now: LintFixture.now))
    }
  }
}
