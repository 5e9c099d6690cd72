import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The explanation of martlet simulate", .timeLimit(.minutes(10)))
struct SimulateExplanationTests {
  @Test("the JSON reports a payload's dialect, content, media results and every decision")
  func explains() async throws {
    let payload = Fixtures.url("dialects/martlet/typical.json").path()
    let console = RecordingConsole(input: "")
    let media = [
      "https://cdn.example.com/film.jpg=\(Fixtures.url("media/photo.jpg").path())",
      "https://cdn.example.com/plan.gif=\(Fixtures.url("media/cloudy.gif").path())",
    ]
    let arguments = ["simulate", "--json"] + media.flatMap { ["--media", $0] } + [payload]
    // Less is shown than was asked for.
    #expect(await runMartlet(arguments, console.console) == .failure)
    let said = try JSONValue(parsing: try #require(console.output.first))
    #expect(said["dialect"] == "martlet" && said["outcome"] == "displayed")
    let outcomes = (said["media"]?.array ?? []).map {
      [$0["result"]?.string, $0["reason"]?.string]
    }
    #expect(outcomes == [["alternative", "offline"], ["attached", nil], ["failed", "offline"]])
    let types = (said["attachments"]?.array ?? []).map { $0["type"]?.string }
    #expect(types == ["public.jpeg", "com.compuserve.gif"])
    #expect(said["content"]?["title"] == "Tonight")
    #expect(said["content"]?["body"] == "The film of the day")
    #expect(said["extension"]?["handlerCalls"] == 1)
    #expect((said["trace"]?.array?.count ?? 0) > 10, "the trace has a line for every decision")
  }
}
