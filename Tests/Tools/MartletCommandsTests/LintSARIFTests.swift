import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet lint --format sarif", .timeLimit(.minutes(10)))
struct LintSARIFTests {
  private func log(_ operands: [String], input: String = "") async throws -> String {
    let console = RecordingConsole(input: input)
    _ = await runMartlet(["lint", "--format", "sarif"] + operands, console.console)
    try #require(console.output.count == 1)
    return console.output[0]
  }

  private static let fixtures: [String] = ["lint", "dialects"].flatMap { name in
    let folder = Fixtures.url(name)
    let files = FileManager.default.enumerator(atPath: folder.path()) ?? .init()
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }.sorted()
      .map { folder.appending(path: $0).path() }
  }

  @Test("is valid for every fixture, for no finding, and for files that cannot be read")
  func valid() async throws {
    let logs = [
      try await log(Self.fixtures), try await log(["-"], input: #"{"aps": {"alert": "A"}}"#),
      try await log(["/no/such file.json", "no/such: file.json", "-"], input: "{"),
    ]
    #expect(Self.fixtures.count > 200)
    #expect(try await SARIFValidator.validate(logs) == ["valid", "valid", "valid"])
  }

  @Test("the validator refuses invalid SARIF")
  func invalid() async throws {
    let log = try await log(["-"], input: "{")
    let broken = log.replacing(#""startLine":1"#, with: #""startLine":0"#)
    #expect(broken != log)
    #expect(try await SARIFValidator.validate([broken]).last == "invalid")
  }

  @Test("names file, line, column, path and rule of each finding")
  func content() async throws {
    let run = try JSONValue(parsing: try await log(["-"], input: LintCommandTests.bad))["runs"]?
      .array?.first
    let result = try #require(run?["results"]?.array?.first)
    #expect(result["ruleId"] == "M206" && result["level"] == "error")
    let rules = try #require(run?["tool"]?["driver"]?["rules"]?.array)
    let index = try #require(result["ruleIndex"]?.integer.flatMap { Int(exactly: $0) })
    #expect(rules.count == LintRules.all.count && rules[index]["id"] == "M206")
    let place = result["locations"]?.array?.first
    #expect(place?["physicalLocation"]?["region"] == ["startLine": 2, "startColumn": 28])
    #expect(place?["physicalLocation"]?["artifactLocation"]?["uri"] == "stdin")
    #expect(place?["logicalLocations"]?.array?.first?["fullyQualifiedName"] == "$.aps.badge")
    #expect(run?["invocations"]?.array?.first?["executionSuccessful"] == true)
  }

  @Test(
    "writes files as URIs that a code host finds",
    arguments: [
      ("a/b c.json", "a/b%20c.json"), ("a:b.json", "a%3Ab.json"), ("/x/y.json", "file:///x/y.json"),
    ])
  func uri(name: String, uri: String) async throws {
    let run = try JSONValue(parsing: try await log([name]))["runs"]?.array?.first
    let note = run?["invocations"]?.array?.first?["toolExecutionNotifications"]?.array?.first
    let place = note?["locations"]?.array?.first?["physicalLocation"]
    #expect(place?["artifactLocation"]?["uri"]?.string == uri)
  }
}
