import Foundation
import MartletCommands
import PushPayload
import TestSupport
import Testing

/// Tests that the command reads every fixture as the dialects' table does.
@Suite("martlet simulate and the dialects", .timeLimit(.minutes(10)))
struct SimulateDialectTests {
  static let folder = Fixtures.url("dialects")

  static let expectations: [String: JSONValue] =
    (try? JSONValue(
      parsing: Data(contentsOf: folder.appending(path: "expectations.json"))))?.object ?? [:]

  @Test(
    "dialect, plan and media results agree with the table", arguments: expectations.keys.sorted())
  func agrees(name: String) async throws {
    let expected = try #require(Self.expectations[name])
    let file = Self.folder.appending(path: "\(name).json").path(percentEncoded: false)
    let console = RecordingConsole(input: "")
    _ = await console.run("simulate", "--json", file)
    let object = try JSONValue(parsing: try #require(console.output.first, "\(console.errors)"))
    let payload = try JSONValue(parsing: Data(contentsOf: URL(filePath: file)))
    guard payload["aps"]?["alert"] != nil else {
      // The system runs no extension for a notification without text.
      #expect(object["outcome"] == "not-displayed" && object["extension"]?["ran"] == false)
      return
    }
    #expect(object["dialect"] == expected["dialect"])
    #expect(object["outcome"] == "displayed")
    let wanted = expected["media"]?.array ?? []
    let media = object["media"]?.array ?? []
    #expect(media.map { $0["url"] } == wanted.map { $0["url"] })
    let trace = object["trace"]?.array ?? []
    for (outcome, wanted) in zip(media, wanted) {
      let url = wanted["url"]?.string ?? ""
      let path = wanted["path"]?.string ?? ""
      switch outcome["reason"]?.string {
      case "offline": #expect(url.hasPrefix("https://"))
      case "not-found": #expect(!url.contains("://") || url.hasPrefix("file:"))
      case "budget": #expect(media.count > 5)
      case let other: Issue.record("\(url) failed because of \(other ?? "nothing")")
      }
      let isPlanned = trace.contains { event in
        event["rule"] == "planned" && event["message"]?.string == "\(path) requests \(url)"
      }
      #expect(isPlanned || outcome["reason"] == "budget", "\(path) is not in the trace")
    }
    let chosen = trace.first { $0["stage"] == "dialect" }
    #expect(
      chosen?["message"]
        == (expected["dialect"] == "none" ? "no known dialect matches" : expected["dialect"]))
    if !wanted.isEmpty, expected["text_needs_media"] == nil {
      for line in ["title", "subtitle"] where expected[line] != nil {
        #expect(object["content"]?[line] == expected[line])
      }
      let body = expected["alternative_text"] ?? expected["body"]
      if let body { #expect(object["content"]?["body"] == body) }
    }
    let buttons = expected["buttons"]?.array ?? []
    if !buttons.isEmpty,
      object["content"]?["categoryIdentifier"]?.string?.hasPrefix("martlet.") == true
    {
      #expect(object["actions"]?.array?.map { $0["title"] } == buttons.map { $0["title"] })
    }
  }
}
