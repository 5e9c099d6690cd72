import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("What commands say when they fail", .timeLimit(.minutes(5)))
struct CommandErrorTests {
  /// A command line that fails for another reason than its options; `FILES` is a folder of unusable files.
  static let lines: [[String]] = [
    ["serve", "--data", "FILES/file/data"],
    ["config", "print", "--config", "FILES/brace.json"],
    ["check-server", "--config", "FILES/brace.json"],
    [
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", "FILES/brace.json", "--data", "FILES/data",
    ],
    ["apps", "list", "--database", "sqlite:FILES/brace.db"],
    ["apps", "delete", "none", "--data", "FILES/data"],
    ["keys", "create", "--role", "push", "--app", "none", "--data", "FILES/data"],
    ["keys", "list", "--app", "none", "--data", "FILES/data"],
    ["keys", "revoke", "none", "--data", "FILES/data"],
    ["accounts", "invite", "a@example.com", "--role", "admin", "--data", "FILES/file"],
    ["accounts", "list", "--database", "sqlite:FILES/brace.db"],
    ["accounts", "reset", "a@example.com", "--data", "FILES/data"],
    ["accounts", "remove", "a@example.com", "--data", "FILES/data"],
    ["identity-keys", "add", "--app", "none", "FILES/brace.json", "--data", "FILES/data"],
    ["identity-keys", "list", "--app", "none", "--data", "FILES/data"],
    ["identity-keys", "remove", "--app", "none", "none", "--data", "FILES/data"],
    ["secret-key", "rotate", "--data", "FILES/data"],
    ["database", "divide", "--data", "FILES/data"],
    ["devices", "import", "--app", "none", "--from", "airship", "FILES/brace.json"],
    ["devices", "import", "--app", "none", "--from", "onesignal", "FILES/brace.json"],
    ["devices", "export", "--app", "none", "FILES/out.ndjson", "--data", "FILES/data"],
    ["backup", "FILES/out", "--database", "sqlite:FILES/brace.db"],
    ["restore", "FILES/brace.db", "--data", "FILES/new"],
    ["simulate", "FILES/none.json"],
    ["explain", "FILES/none.json"],
    ["lint", "FILES/none.json"],
    [
      "send", "--team-id", "TEAM123456", "--key-id", "KEY1234567", "--key-file", "FILES/brace.json",
      "--bundle-id", "com.example.app", "--token", "00ff", "FILES/brace.json",
    ],
    ["apns-sandbox", "--data", "FILES/data", "--tokens", "FILES/brace.json"],
    ["conformance", "--against", "https://127.0.0.1:1", "--ca", "FILES/brace.json"],
    ["conformance", "--against", "https://api.sandbox.push.apple.com"],
    ["init", "--project", "FILES/Broken.xcodeproj"],
    ["doctor", "FILES/brace.json"],
    ["demo", "--data", "/proc/none"],
    ["completions", "tcsh"],
    ["man", "FILES/file"],
  ]

  @Test("each is a sentence, and none the form in which Swift prints a value", arguments: lines)
  func sentence(_ line: [String]) async throws {
    let folder = TemporaryFolder()
    _ = try folder.write("{", to: "brace.json")
    _ = try folder.write("not a database", to: "brace.db")
    _ = try folder.write("", to: "file")
    try FileManager.default.createDirectory(
      at: folder.file("Broken.xcodeproj"), withIntermediateDirectories: true)
    _ = try folder.write("{", to: "Broken.xcodeproj/project.pbxproj")
    let console = RecordingConsole()
    let words = line.map { $0.replacing("FILES", with: folder.url.path) }
    #expect(await runMartlet(words, console.console) != .success)
    let error = try #require(console.errors.first { $0.hasPrefix("martlet ") })
    #expect(error.contains(" "))
    for text in console.errors + console.output {
      #expect(
        text.firstMatch(of: /[A-Z]\w+\(\w*: ?|[A-Za-z]+Error\(|Error Domain=|Optional\(/) == nil)
      #expect(!text.contains("has no explanation"))
    }
  }

  @Test("every command has a line")
  func complete() {
    let names = CommandTable.commands.map(\.name).filter { name in
      !Self.lines.contains { $0.joined(separator: " ").hasPrefix(name + " ") }
    }
    #expect(names == [])
  }

  @Test("an error without a description is named by its kind, one of Foundation is explained")
  func kinds() {
    struct Bare: Error { var status = 422 }
    struct Told: Error, CustomStringConvertible { let description = "it is told" }
    #expect(
      Bare().sentence == "an error of the kind Bare, which has no explanation; please report it")
    #expect(Told().sentence == "it is told")
    #expect(!CocoaError(.fileNoSuchFile).sentence.contains("Domain="))
    #expect(!NSError(domain: "a", code: 1).sentence.contains("Domain="))
  }
}
