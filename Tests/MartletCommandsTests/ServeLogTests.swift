import PushPayload
import PushServer
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

  @Test("a request is one line at info: its id, method, route, status, time and key")
  func requests() throws {
    let request = RequestLine(
      id: "r-1", method: "GET", route: "/v6/devices/{id}", status: 200,
      duration: .microseconds(3700),
      key: "k1")
    let console = RecordingConsole()
    var log = Log(isJSON: true)
    log(request, console.console)
    let line = try JSONValue(parsing: try #require(console.errors.first))
    #expect(line["request_id"] == "r-1" && line["method"] == "GET" && line["status"] == 200)
    #expect(line["route"] == "/v6/devices/{id}" && line["key_id"] == "k1")
    #expect(line["milliseconds"] == 3 && line["level"] == "info")
    log.isJSON = false
    log(request, console.console)
    #expect(
      console.errors.last?.hasSuffix("request r-1: GET /v6/devices/{id} 200 in 3 ms, key k1")
        == true)
    log.least = .warning
    log(request, console.console)
    #expect(console.errors.count == 2)
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
