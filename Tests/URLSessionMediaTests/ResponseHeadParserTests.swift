import MediaLoading
import Testing
import _Curl

@Suite("The head of an answer, line by line")
struct ResponseHeadParserTests {
  @Test("is told once, at the empty line, without interim answers and trailers")
  func once() {
    let heads = read([
      "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: </a>", "",
      "HTTP/2 200 ", "etag: \"1\"", "", "ETag: \"2\"", "",
    ])
    #expect(heads.map(\.status) == [200])
    #expect(heads.first?["etag"] == "\"1\"" && heads.first?["link"] == nil)
  }

  @Test(
    "joins fields of one name and folded lines, and trims values",
    arguments: [
      (["A: 1", "a:2"], "1, 2"), (["A: 1", "\t 2", " 3"], "1 2 3"), (["A:\t 1 \t"], "1"),
      (["A:"], ""), (["A: b: c"], "b: c"), ([" folded", "A: 1"], "1"), (["nonsense", "A: 1"], "1"),
    ])
  func fields(lines: [String], value: String) {
    #expect(read(["HTTP/1.1 200 OK"] + lines + [""]).first?["A"] == value)
  }

  @Test("without a status is no head", arguments: ["HTTP/1.1", "HTTP/1.1 OK", "A: 1"])
  func noStatus(line: String) {
    #expect(read([line, ""]).isEmpty)
  }

  @Test("ends at the limit of bytes and of fields, interim answers and trailers counted")
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
    "a length is one number; the same twice is one, and nothing else is a length",
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

  @Test("any bytes are taken")
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
