import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

@Suite("martlet lint with mutated payloads")
struct MutationTests {
  static let rounds = Tier.mutations(200, of: 500, cost: 10)

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

  @Test("never traps on any bytes, and always places a finding in the file")
  func bytes() {
    // What people paste into a payload, and marks that end or begin a token.
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "=", ";", "//", "/*", "“", "\u{A0}", "{{x}}",
      "NaN",
      "True", "nil", "-", "0x1", "1.", "\\u", "\n", "AnyHashable(", "<html>", "curl ", "eyJ", "a=b",
    ].map { Array($0.utf8) }
    let seeds =
      LintFixture.rules.map { ($0.bytes, $0.headers) }
      + (LintRow.faults + LintRow.valid).map { ($0.bytes, $0.headers) }
    var random = SeededGenerator(seed: 12)
    for number in 0..<Self.rounds {
      var (bytes, headers) = seeds[number % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard let index = bytes.indices.randomElement(using: &random) else { break }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: index)
        default: bytes = Array(bytes.prefix(index))
        }
      }
      let report = LintReport(LintSubject(bytes, headers: headers, now: LintFixture.now))
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      #expect(report.entries.allSatisfy { (1...lines).contains($0.position.line) })
      #expect(report.entries.allSatisfy { (1...bytes.count + 1).contains($0.position.column) })
    }
  }
}
