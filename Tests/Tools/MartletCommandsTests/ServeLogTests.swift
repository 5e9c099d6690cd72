import PushPayload
import PushServer
import Testing

@testable import MartletCommands

@Suite("The log of serve")
struct ServeLogTests {
  private func line(_ log: ServeLog, _ level: ServeLog.Level, request: String?) -> String? {
    let console = RecordingConsole()
    log.write("the disk is full", level: level, request: request, to: console.console)
    #expect(console.output.isEmpty)
    return console.errors.first
  }

  @Test("a line of JSON names the request that it is about")
  func json() throws {
    let log = ServeLog(isJSON: true)
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
      key: "k1", address: "192.0.2.1")
    let console = RecordingConsole()
    var log = ServeLog(isJSON: true)
    log.write(request, to: console.console)
    let line = try JSONValue(parsing: try #require(console.errors.first))
    #expect(line["request_id"] == "r-1" && line["method"] == "GET" && line["status"] == 200)
    #expect(line["route"] == "/v6/devices/{id}" && line["key_id"] == "k1")
    #expect(line["address"] == "192.0.2.1")
    #expect(line["milliseconds"] == 3 && line["level"] == "info")
    log.isJSON = false
    log.write(request, to: console.console)
    #expect(
      console.errors.last?.hasSuffix(
        "request r-1: GET /v6/devices/{id} 200 in 3 ms from 192.0.2.1, key k1")
        == true)
    log.minimumLevel = .warning
    log.write(request, to: console.console)
    #expect(console.errors.count == 2)
  }

  @Test("control characters of a caller are escaped in text")
  func control() {
    #expect(
      ServeLog.escaped("GE\u{1b}[2J\nT\u{7f}\u{2028}\u{202e}é")
        == #"GE\u{1b}[2J\u{a}T\u{7f}\u{2028}\u{202e}é"#)
    #expect(ServeLog.escaped("plain") == "plain")
  }

  @Test("text names the request too; a line below the minimum level is not written")
  func text() {
    let log = ServeLog(minimumLevel: .warning)
    #expect(
      line(log, .warning, request: "r-1")?.hasSuffix("warning: request r-1: the disk is full")
        == true)
    #expect(line(log, .info, request: nil) == nil)
  }
}
