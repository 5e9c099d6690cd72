import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The quick starts of the documents", .timeLimit(.minutes(10)))
struct ReadmeTests {
  private static let root = Repository.root

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The code blocks of a page in a language.
  private static func blocks(_ language: String, of page: String) throws -> [String] {
    try text(page).components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  @Test(
    "the class, the manifest and the test are those of the example package",
    arguments: [
      "Package.swift", "Sources/NotificationService/NotificationService.swift",
      "Tests/NotificationServiceTests/NotificationServiceTests.swift",
    ])
  func example(file: String) throws {
    let (name, value) = MartletPackage.Requirement.current.member
    // A release writes its own URL.
    let package = try Regex(
      #"\.package\(url: "[^"]+", \#(name): "\#(value)"\)  // the URL that you cloned"#)
    let blocks = try Self.blocks("swift", of: "docs/app/testing.md").map {
      $0.replacing(package, with: #".package(name: "martlet", path: "../..")"#) + "\n"
    }
    let code = try Self.text("Examples/AppPackage/\(file)")
    #expect(blocks.contains(code), "docs/app/testing.md has no block with the text of \(file)")
  }

  @Test("the commands of a server, pasted into an empty folder, show a push on the phone")
  func server() async throws {
    let block = try #require(
      Self.blocks("sh", of: "docs/server/README.md").first { $0.contains("martlet serve --apns") })
    let ports = try (0..<3).map { _ in try LoopbackListener().port }
    // The page's ports may be taken on this machine.
    let commands = block.replacing("127.0.0.1:2197", with: "127.0.0.1:\(ports[0])")
      .replacing("127.0.0.1:8080", with: "127.0.0.1:\(ports[1])")
      .replacing("127.0.0.1:8443", with: "127.0.0.1:\(ports[2])")
      .replacing(
        "martlet apns-sandbox", with: "martlet apns-sandbox --listen 127.0.0.1:\(ports[0])"
      )
      .replacing("martlet serve", with: "martlet serve --listen 127.0.0.1:\(ports[1])")
    let folder = TemporaryFolder()
    let programs = BuiltProgram.folder
    let script = """
      set -e
      cd "$1"
      PATH=$2:$PATH
      trap 'kill %1 %2 %3; wait' EXIT
      \(commands)
      """
    let run = await runProgram(
      "/usr/bin/env",
      ["timeout", "120", "bash", "-c", script, "bash", folder.path("."), programs.path()])
    #expect(run.status == 0, "\(run.output)")
    let shown = try FileManager.default.contentsOfDirectory(atPath: folder.path("phones"))
    let report = try #require(shown.first { $0.hasSuffix(".json") })
    #expect(report.hasPrefix("00ff-"))
    #expect(shown.contains(report.replacing(".json", with: ".png")))
    let json = try JSONValue(parsing: Data(contentsOf: folder.file("phones/\(report)")))
    #expect(json["token"]?.string == "00ff" && json["complete"]?.bool == true, "\(json)")
    #expect(json["attachments"]?.array?.count == 1, "\(json)")
  }
}
