import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet lint: inputs, severities and settings", .timeLimit(.minutes(10)))
struct LintSettingsTests {
  private let folder = TemporaryFolder()

  /// A payload with the error M206 and the error M521.
  private static let payload = LintCommandTests.bad

  private func write(_ text: String, to path: String) throws {
    let file = folder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The exit code, and code and severity of each finding by the payload's file name.
  private func lint(_ words: String...) async throws -> (ExitCode, [String: [String]]) {
    let console = RecordingConsole()
    let code = await runMartlet(["lint", "--json"] + words, console.console)
    var findings: [String: [String]] = [:]
    for line in console.output {
      let json = try JSONValue(parsing: line)
      let name = (json["payload"]?.string ?? "").split(separator: "/").last.map(String.init) ?? ""
      findings[name] = (json["findings"]?.array ?? []).map {
        "\($0["code"]?.string ?? "") \($0["severity"]?.string ?? "")"
      }
    }
    return (code, findings)
  }

  @Test("the settings beside or above a payload turn rules off and change severities")
  func levels() async throws {
    try write(Self.payload, to: "sub/a.json")
    try write(#"{"rules": {"M206": "off", "m521": "note"}}"#, to: ".martlet-lint.json")
    let (code, findings) = try await lint(folder.path(""))
    #expect(code == .success)
    #expect(findings == ["a.json": ["M521 note"]])
  }

  @Test("the nearest settings count alone, and a later pattern wins over an earlier")
  func patterns() async throws {
    for name in ["a.json", "drafts/b.json", "drafts/old/c.json", "other/d.json"] {
      try write(Self.payload, to: name)
    }
    try write(
      """
      {"rules": {"M206": "warning"},
       "files": [{"pattern": "drafts/**", "rules": {"M521": "off"}},
                 {"pattern": "c.json", "rules": {"M521": "note", "M206": "off"}}]}
      """, to: ".martlet-lint.json")
    try write("{}", to: "other/.martlet-lint.json")
    let (code, findings) = try await lint(folder.path(""))
    #expect(code == .failure)
    #expect(
      findings == [
        "a.json": ["M206 warning", "M521 error"], "b.json": ["M206 warning"],
        "c.json": ["M521 note"], "d.json": ["M206 error", "M521 error"],
      ])
  }

  @Test(
    "settings with a fault are named, and the exit code is 2",
    arguments: [
      ("{", "is not JSON"), ("[]", "$ must be an object"),
      (#"{"rule": {}}"#, #"$ has the unknown key "rule"; it takes rules and files"#),
      (#"{"rules": {"M999": "off"}}"#, #"$.rules has the unknown rule "M999""#),
      (#"{"rules": {"M206": "loud"}}"#, "$.rules.M206 must be off, error, warning or note"),
      (#"{"rules": []}"#, "$.rules must be an object"),
      (#"{"files": {}}"#, "$.files must be an array"),
      (#"{"files": [{"rules": {}}]}"#, "$.files[0].pattern must be a pattern of paths"),
      (
        #"{"files": [{"pattern": "*", "rules": {"M1": "off"}}]}"#,
        #"$.files[0].rules has the unknown rule "M1""#
      ),
    ])
  func faults(settings: String, message: String) async throws {
    try write(Self.payload, to: "a.json")
    try write(settings, to: ".martlet-lint.json")
    let console = RecordingConsole()
    #expect(await console.run("lint", folder.path("a.json")) == .invalidInput)
    #expect(console.errors.count == 1)
    #expect(console.errors.first?.contains(message) == true, "\(console.errors)")
    #expect(console.errors.first?.contains(".martlet-lint.json") == true)
  }

  @Test(
    "--fail-on chooses the least severity that makes the exit code 1",
    arguments: [
      ("error", ExitCode.success, ExitCode.success), ("warning", .success, .failure),
      ("note", .failure, .failure),
    ])
  func failOn(severity: String, note: ExitCode, warning: ExitCode) async throws {
    try write(#"{"aps": {"alert": "50%% off"}}"#, to: "note/a.json")
    try write(#"{"rules": {"M206": "warning", "M521": "off"}}"#, to: ".martlet-lint.json")
    try write(Self.payload, to: "warning/a.json")
    #expect(try await lint("--fail-on", severity, folder.path("note")).0 == note)
    #expect(try await lint("--fail-on", severity, folder.path("warning")).0 == warning)
    #expect(try await lint("--fail-on", severity, folder.path("")).0 == max(note, warning))
  }

  @Test("text that is not JSON is a finding, and of several inputs the highest exit code counts")
  func exitCodes() async throws {
    try write("{", to: "broken.json")
    try write(LintCommandTests.good, to: "good.json")
    #expect(try await lint(folder.path("good.json")).0 == .success)
    #expect(try await lint(folder.path("broken.json")).0 == .failure)
    #expect(try await lint(folder.path("*.json")).0 == .failure)
    #expect(try await lint(folder.path("*.json"), folder.path("absent.json")).0 == .invalidInput)
    #expect(try await lint(folder.path("*.apns")).0 == .invalidInput)
  }
}
