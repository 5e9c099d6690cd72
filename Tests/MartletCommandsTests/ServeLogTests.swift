import PushPayload
import Testing

@testable import MartletCommands

@Suite("What serve says of itself")
struct ServeLogTests {
  private func line(_ log: Log, _ level: Log.Level, request: String?) -> String? {
    let console = RecordingConsole()
    log(level, "the disk is full", request: request, console.console)
    #expect(console.output.isEmpty)
    return console.errors.first
  }

  @Test("a line of JSON names the request that it is about")
  func json() throws {
    let log = Log(isJSON: true)
    let about = try JSONValue(parsing: try #require(line(log, .warning, request: "r-1")))
    #expect(about["request_id"] == "r-1" && about["message"] == "the disk is full")
    #expect(about["level"] == "warning" && about["time"]?.string != nil)
    let other = try JSONValue(parsing: try #require(line(log, .info, request: nil)))
    #expect(other.object?.keys.sorted() == ["level", "message", "time"])
  }

  @Test("text names it too, and what is below the least level is not said")
  func text() {
    let log = Log(least: .warning)
    #expect(
      line(log, .warning, request: "r-1")?.hasSuffix("warning: request r-1: the disk is full")
        == true)
    #expect(line(log, .info, request: nil) == nil)
  }
}
