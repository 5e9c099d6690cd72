import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet simulate --expect and --stable", .timeLimit(.minutes(10)))
struct SimulateExpectTests {
  private let folder = TemporaryFolder()

  private func simulate(_ words: String...) async -> (ExitCode, RecordingConsole) {
    let console = RecordingConsole(input: SimulateCommandTests.push)
    let line = ["simulate", "--media", SimulateCommandTests.media] + words + ["-"]
    return (await runMartlet(line, console.console), console)
  }

  @Test("what is as expected ends with 0, even a payload that is shown with less")
  func asExpected() async throws {
    let file = try folder.write(
      #"{"outcome": "displayed", "media": [{"result": "failed", "bytes": 0.0}]}"#, to: "e.json")
    let console = RecordingConsole(input: SimulateCommandTests.push)
    #expect(await console.run("simulate", "--expect", file, "-") == .success)
    #expect(console.output == ["-: as expected"])
    let quiet = RecordingConsole(input: SimulateCommandTests.push)
    #expect(await quiet.run("simulate", "--quiet", "--expect", file, "-") == .success)
    #expect(quiet.output.isEmpty)
  }

  @Test("a difference is one line with path, expected and found, and ends with 1")
  func differences() async throws {
    let file = try folder.write(
      #"{"outcome": "dropped", "content": {"title": "T", "body": "C"}, "media": [], "none": 1}"#,
      to: "e.json")
    let (code, console) = await simulate("--expect", file)
    #expect(code == .failure)
    #expect(console.output.count == 4)
    #expect(console.output.first == #"-: $.content.body: expected "C", found "B""#)
    #expect(console.output[1].hasPrefix("-: $.media: expected [], found [{"))
    #expect(console.output[2] == "-: $.none: expected 1, found nothing")
    #expect(console.output[3] == #"-: $.outcome: expected "dropped", found "displayed""#)
    let (jsonCode, json) = await simulate("--json", "--expect", file)
    #expect(jsonCode == .failure && json.output.count == 1)
    let object = try JSONValue(parsing: try #require(json.output.first))
    #expect(object["outcome"] == "displayed")
    #expect(
      object["differences"]?.array?.first == [
        "path": "$.content.body", "expected": "C", "found": "B",
      ])
  }

  @Test("an expectation that cannot be read is exit 2", arguments: ["{", "[]", nil] as [String?])
  func unreadable(text: String?) async throws {
    if let text { _ = try folder.write(text, to: "e.json") }
    let (code, console) = await simulate("--expect", folder.path("e.json"))
    #expect(code == .invalidInput)
    #expect(console.errors.count == 1 && console.errors.first?.contains("--expect") == true)
  }

  @Test("the stable JSON of two runs is the same, and --expect compares it without --stable")
  func stable() async throws {
    let (_, first) = await simulate("--json", "--stable")
    let (_, second) = await simulate("--json", "--stable")
    #expect(first.output == second.output)
    let object = try JSONValue(parsing: try #require(first.output.first))
    #expect(object["attachments"]?.array?.first?["path"] == .null)
    let (_, kept) = await simulate("--json", "--stable", "--keep", folder.path("kept"))
    let path = try JSONValue(parsing: try #require(kept.output.first))["attachments"]?.array?.first
    #expect(path?["path"] == "1.png")
    #expect(object["extension"]?["elapsedSeconds"] == 0)
    let file = try folder.write(first.output[0], to: "e.json")
    #expect(await simulate("--expect", file).0 == .success)
    let (code, compared) = await simulate("--json", "--expect", file)
    #expect(code == .success)
    let found = try JSONValue(parsing: try #require(compared.output.first))
    #expect(found["extension"]?["elapsedSeconds"] == 0 && found["differences"]?.array == [])
  }

  @Test("media that are fetched concurrently leave the stable JSON the same")
  func concurrentMedia() async throws {
    let payload = Fixtures.url("dialects/martlet/typical.json").path()
    let media = [
      "https://cdn.example.com/film.jpg=\(Fixtures.url("media/photo.jpg").path())",
      "https://cdn.example.com/plan.gif=\(Fixtures.url("media/cloudy.gif").path())",
    ]
    let line = ["simulate", "--json", "--stable"] + media.flatMap { ["--media", $0] } + [payload]
    var outputs: Set<[String]> = []
    for _ in 0..<20 {
      let console = RecordingConsole()
      _ = await runMartlet(line, console.console)
      outputs.insert(console.output)
    }
    #expect(outputs.count == 1)
  }

  @Test("the category that the extension registers has no time of the run in its identifier")
  func category() async throws {
    let console = RecordingConsole()
    let payload = Fixtures.url("dialects/onesignal/typical.json").path()
    _ = await runMartlet(["simulate", "--json", "--stable", payload], console.console)
    let output = try #require(console.output.first)
    #expect(output.contains("martlet.buttons.00000000."))
    let times = output.matches(of: /martlet\.buttons\.([0-9a-f]{8})/).map(\.output.1)
    #expect(Set(times) == ["00000000"])
  }

  @Test("every payload of a folder is simulated, and the highest exit code counts")
  func inputs() async throws {
    _ = try folder.write(#"{"aps":{"alert":"B"}}"#, to: "a.json")
    _ = try folder.write(#"{"aps":{}}"#, to: "b.apns")
    let console = RecordingConsole()
    #expect(await console.run("simulate", "--json", folder.path("")) == .failure)
    #expect(console.output.count == 2)
    _ = try folder.write("{", to: "c.json")
    #expect(await RecordingConsole().run("simulate", folder.path("*")) == .invalidInput)
  }
}
