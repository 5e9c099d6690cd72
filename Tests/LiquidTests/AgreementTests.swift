import Foundation
import PushPayload
import TestSupport
import Testing

/// python-liquid is an implementation of its own, tested against Shopify's.
@Suite("Liquid beside python-liquid", .timeLimit(.minutes(1)))
struct AgreementTests {
  @Test("every template of the table renders what python-liquid renders")
  func agreement() async throws {
    let groups = try #require(
      JSONValue(parsing: Data(try Fixtures.bytes("liquid/agreement.json"))).array)
    let root = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
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
