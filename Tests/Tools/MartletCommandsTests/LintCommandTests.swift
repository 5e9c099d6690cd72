import APNs
import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet lint", .timeLimit(.minutes(10)))
struct LintCommandTests {
  static let bad = """
    {
      "aps": {"alert": "Look", "badge": "3"},
      "_st": {"image_url": "https://example.com/a.jpg"}
    }
    """
  static let good = #"{"aps": {"alert": "Look"}}"#

  @Test("prints each finding with its line, its path and the fix, and exits 1 with an error")
  func text() async {
    let console = RecordingConsole(input: Self.bad)
    #expect(await console.run("lint", "-") == .failure)
    #expect(
      console.output == [
        "<stdin>:2:28: error: $.aps.badge is a string; it takes a whole number from 0 [M206]",
        "    fix: send a number, or 0 to remove the badge",
        "<stdin>:3:11: error: $._st.image_url is downloaded only with \"mutable-content\": 1 [M521]",
        "    fix: add \"mutable-content\": 1 to aps",
        "2 errors, no warnings and no notes in 1 payload",
      ])
    #expect(console.errors.isEmpty)
  }

  @Test("exits 0 with warnings and notes only")
  func warnings() async {
    let console = RecordingConsole(
      input: #"{"aps": {"alert": "50%% off", "order": 1, "interruption-level": "critical"}}"#)
    #expect(await console.run("lint", "-") == .success)
    #expect(console.output.last == "no errors, 1 warning and 2 notes in 1 payload")
  }

  @Test("prints nothing for a good payload with --quiet")
  func quiet() async {
    let console = RecordingConsole(input: Self.good)
    #expect(await console.run("lint", "--quiet", "-") == .success)
    #expect(console.output.isEmpty && console.errors.isEmpty)
  }

  @Test(
    "--json is --format json: one object a payload", arguments: [["--json"], ["--format", "json"]])
  func json(option: [String]) async throws {
    let folder = TemporaryFolder()
    let file = try folder.write(Self.good, to: "good.json")
    let console = RecordingConsole(input: Self.bad)
    #expect(await runMartlet(["lint"] + option + ["-", file], console.console) == .failure)
    try #require(console.output.count == 2)
    let bad = try JSONValue(parsing: console.output[0])
    #expect(bad["payload"] == "-" && bad["errors"] == 2 && bad["warnings"] == 0)
    #expect(
      bad["findings"]?.array?.first == [
        "code": "M206", "severity": "error", "path": "$.aps.badge", "line": 2, "column": 28,
        "message": "$.aps.badge is a string; it takes a whole number from 0",
        "advice": "send a number, or 0 to remove the badge",
      ])
    let good = try JSONValue(parsing: console.output[1])
    #expect(
      good == [
        "payload": .string(file), "errors": 0, "warnings": 0, "notes": 0, "findings": [],
      ])
  }

  @Test("checks the headers that the options give")
  func headers() async {
    let console = RecordingConsole(input: Self.good)
    let line = [
      "lint", "--format", "json", "--push-type", "background", "--priority", "10", "--expiration",
      "soon", "--collapse-id", String(repeating: "x", count: 65), "--topic", "com.example.voip",
      "-",
    ]
    #expect(await runMartlet(line, console.console) == .failure)
    let findings = (try? JSONValue(parsing: console.output.first ?? ""))?["findings"]?.array
    #expect(
      Set(findings?.compactMap { $0["code"]?.string } ?? []) == [
        "M501", "M503", "M603", "M604", "M607", "M624",
      ])
  }

  @Test("reads an .apns file of the Simulator, whose bundle id does not count for the size")
  func simulatorFile() async throws {
    let folder = TemporaryFolder()
    let text = String(repeating: "x", count: 4096 - #"{"aps":{"alert":""}}"#.utf8.count)
    let file = try folder.write(
      #"{"Simulator Target Bundle": "com.example.app", "aps": {"alert": "\#(text)"}}"#,
      to: "push.apns")
    let console = RecordingConsole()
    #expect(await console.run("lint", "--json", file) == .success)
    let findings = try JSONValue(parsing: try #require(console.output.first))["findings"]?.array
    #expect(findings?.map { $0["code"] } == ["M123", "M109"])
  }

  @Test(
    "continues after a file that cannot be read, and exits 2", arguments: ["text", "json", "sarif"])
  func unreadable(format: String) async {
    let console = RecordingConsole(input: Self.good)
    #expect(await console.run("lint", "--format", format, "/no/such.json", "-") == .invalidInput)
    #expect(
      console.errors == ["martlet lint: cannot read /no/such.json: is it there, and readable?"])
    #expect(console.output.count == 1)
  }

  @Test("explains a rule, in any letter case")
  func explain() async {
    let console = RecordingConsole()
    #expect(await console.run("lint", "--explain", "m521") == .success)
    let text = console.text
    #expect(text.hasPrefix("M521 error: a payload with media has no mutable-content\n"))
    #expect(text.contains("\nfix: add \"mutable-content\": 1 to aps"))
  }

  @Test(
    "an error in the command line says what the option takes",
    arguments: [
      (["lint"], "name a payload file, or -"),
      (["lint", "--format", "xml", "-"], "--format takes text, json, sarif, not \"xml\""),
      (
        ["lint", "--json", "--format", "sarif", "-"],
        "--json is --format json; take one of --json and --format sarif"
      ),
      (
        ["lint", "--explain", "M999"],
        "--explain takes the code of a rule, such as M101, not \"M999\""
      ),
      (["lint", "--rules", "a.json"], "--explain and --rules take no payload file"),
    ])
  func usage(line: [String], message: String) async {
    let console = RecordingConsole()
    #expect(await runMartlet(line, console.console) == .invalidInput)
    #expect(console.errors == ["martlet lint: \(message)"] && console.output.isEmpty)
  }

  @Test("docs/provider/lint.md is that of the rules")
  func manual() async throws {
    let file = Repository.url("docs/provider/lint.md")
    let console = RecordingConsole()
    #expect(await console.run("lint", "--rules") == .success)
    let isSame = try String(contentsOf: file, encoding: .utf8) == console.text + "\n"
    #expect(isSame, "run: swift run martlet lint --rules > docs/provider/lint.md")
  }
}
