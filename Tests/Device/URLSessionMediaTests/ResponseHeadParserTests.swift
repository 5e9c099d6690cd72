import MediaLoading
import Testing
import _Curl

@Suite("ResponseHeadParser")
struct ResponseHeadParserTests {
  @Test("announces the head once, without interim responses and trailers")
  func once() {
    let heads = read([
      "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: </a>", "",
      "HTTP/2 200 ", "etag: \"1\"", "", "ETag: \"2\"", "",
    ])
    #expect(heads.map(\.status) == [200])
    #expect(heads.first?["etag"] == "\"1\"" && heads.first?["link"] == nil)
  }

  @Test(
    "combines fields of the same name and folded lines, and trims values",
    arguments: [
      (["A: 1", "a:2"], "1, 2"), (["A: 1", "\t 2", " 3"], "1 2 3"), (["A:\t 1 \t"], "1"),
      (["A:"], ""), (["A: b: c"], "b: c"), ([" folded", "A: 1"], "1"), (["nonsense", "A: 1"], "1"),
    ])
  func fields(lines: [String], value: String) {
    #expect(read(["HTTP/1.1 200 OK"] + lines + [""]).first?["A"] == value)
  }

  @Test("a head without a status is not announced", arguments: ["HTTP/1.1", "HTTP/1.1 OK", "A: 1"])
  func noStatus(line: String) {
    #expect(read([line, ""]).isEmpty)
  }

  @Test("fails over the limits of bytes and fields, interim responses and trailers included")
  func limits() {
    let status = "HTTP/1.1 200 OK"
    let room =
      ResponseHeadParser.maximumBytes - (status + "\r\n" + "A: " + "\r\n" + "\r\n").utf8.count
    #expect(read([status, "A: " + String(repeating: "x", count: room), ""]).count == 1)
    #expect(read([status, "A: " + String(repeating: "x", count: room + 1), ""]).isEmpty)

    let most = ResponseHeadParser.maximumFields
    let fields = (0..<most).map { "X\($0): 1" }
    #expect(read([status] + fields + [""]).count == 1)
    #expect(read([status] + fields + ["Y: 1", ""]).isEmpty)
    #expect(read(["HTTP/1.1 103 Early Hints"] + fields + ["", status, "Y: 1", ""]).isEmpty)
    #expect(isFailed([status] + fields + ["", "Trailer: 1"]))
  }

  @Test(
    "Content-Length must be one number, which may be repeated",
    arguments: [
      (["1"], true), (["0"], true), (["18446744073709551615"], true), (["7", "7"], true),
      (["7, 7"], true), (["7", "8"], false), (["7, 8"], false), (["18446744073709551616"], false),
      (["-1"], false), (["+1"], false), ([""], false), (["7,"], false), (["0x7"], false),
      (["7 7"], false),
    ])
  func lengths(values: [String], isTaken: Bool) {
    let lines = ["HTTP/1.1 200 OK"] + values.map { "Content-Length: \($0)" } + [""]
    #expect(read(lines).count == (isTaken ? 1 : 0))
    #expect(isFailed(lines) != isTaken)
  }

  @Test("any bytes are accepted without a crash")
  func anyBytes() {
    var parser = ResponseHeadParser()
    var heads = 0
    for line in [
      Array("HTTP/1.1 200 OK\r\n".utf8), [0xFF, 0xC0, 0x3A, 0x00, 0x0A], [0x3A], [0x0A],
    ] {
      if case .announce = parser.on(line) { heads += 1 }
    }
    #expect(heads == 1)
  }

  private func read(_ lines: [String]) -> [MediaResponseHead] {
    var parser = ResponseHeadParser()
    return lines.compactMap {
      if case .announce(let head) = parser.on(Array("\($0)\r\n".utf8)) { head } else { nil }
    }
  }

  private func isFailed(_ lines: [String]) -> Bool {
    var parser = ResponseHeadParser()
    return lines.reduce(false) { isFailed, line in
      if case .fail = parser.on(Array("\(line)\r\n".utf8)) { true } else { isFailed }
    }
  }
}
