import Foundation
import Liquid
import PushPayload
import TestSupport
import Testing

/// Runs golden-liquid, the public conformance suite of Liquid (see Tests/Fixtures/golden-liquid).
@Suite("Liquid in golden-liquid")
struct GoldenLiquidTests {
  private struct Case {
    var name: String
    var source: String
    var data: any LiquidObject
    var isInvalid: Bool
    var results: [String]

    init(_ value: LiquidValue) throws {
      guard case .object(let object) = value, case .string(let name) = object.member("name"),
        case .string(let source) = object.member("template")
      else { throw Malformed() }
      (self.name, self.source) = (name, source)
      data = if case .object(let data) = object.member("data") { data } else { JSONContext([:]) }
      isInvalid = if case .bool(true) = object.member("invalid") { true } else { false }
      let results =
        if case .array(let results) = object.member("results") { results } else {
          [object.member("result")]
        }
      self.results = results.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
  }

  private struct Malformed: Error {}

  private enum Outcome: Equatable { case text(String), refused }

  private static func cases() throws -> [Case] {
    let text = String(
      decoding: try Fixtures.bytes("golden-liquid/golden_liquid.json"), as: UTF8.self)
    guard case .object(let root) = try OrderedJSON.value(text),
      case .array(let tests) = root.member("tests")
    else { throw Malformed() }
    return try tests.map(Case.init)
  }

  private static func outcome(of test: Case) throws -> Outcome {
    do { return .text(try render(test.source, test.data)) } catch is LiquidError {
      return .refused
    }
  }

  @Test("every case has the result of the suite, or is refused for a recorded reason")
  func suite() throws {
    let groups = try #require(
      JSONValue(parsing: Data(try Fixtures.bytes("golden-liquid/differences.json"))).array)
    var reasons: [String: String] = [:]
    for group in groups {
      let reason = try #require(group["reason"]?.string)
      for name in try #require(group["cases"]?.array) {
        reasons[try #require(name.string)] = reason
      }
    }
    var right = 0
    let cases = try Self.cases()
    for test in cases {
      let outcome = try Self.outcome(of: test)
      let isRight =
        switch outcome {
        case .refused: test.isInvalid
        case .text(let text): !test.isInvalid && test.results.contains(text)
        }
      if isRight { right += 1 }
      if let reason = reasons.removeValue(forKey: test.name) {
        #expect(!isRight, "\(test.name) is right, so that it is no difference: \(reason)")
        #expect(outcome == .refused, "\(test.name) must be refused: \(reason)")
      } else {
        #expect(isRight, "\(test.name): \(test.source): \(outcome), not \(test.results)")
      }
    }
    #expect(reasons.isEmpty, "the suite has no such case")
    #expect((right, cases.count) == (1009, 1054))
  }
}
