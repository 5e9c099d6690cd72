import Foundation
import PushPayload
import TestSupport
import Testing

/// Compares this implementation with python-liquid, an independent one that is tested against Shopify's.
@Suite("Liquid compared with python-liquid", .timeLimit(.minutes(10)))
struct AgreementTests {
  @Test("every template of the table renders as with python-liquid")
  func agreement() async throws {
    let groups = try #require(
      JSONValue(parsing: Data(try Fixtures.bytes("liquid/agreement.json"))).array)
    let root = Repository.root
    let python = root.appending(path: ".build/python/bin/python").path()
    let run = await runProgram(
      python, [Fixtures.url("liquid/peer.py").path(), Fixtures.url("liquid/agreement.json").path()])
    try #require(run.status == 0, "python-liquid is missing: run scripts/bootstrap")
    var answers = run.output.split(separator: "\n")[...]
    var count = 0
    for group in groups {
      for template in try #require(group["templates"]?.array) {
        let source = try #require(template.string)
        let line = answers.popFirst()
        let theirs = try JSONValue(parsing: String(#require(line)))
        let ours = try render(source, try #require(group["context"]))
        #expect(.string(ours) == theirs, "\(source)")
        count += 1
      }
    }
    #expect(answers.isEmpty)
    #expect(count > 100)
  }
}
