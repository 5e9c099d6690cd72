import Testing

@testable import _HTTPServer

@Suite("HTTP server: bodies in chunks")
struct ChunkTests {
  private static let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// What a reader makes of a body: the parts' sizes, and how it ends.
  private struct Reading: Equatable {
    var parts: [Int]
    var end: String
  }

  private func read(_ body: String, inPartsOf size: Int = .max) -> Reading {
    var reader = RequestReader()
    var parts: [Int] = []
    var rest = Array((Self.head + body).utf8)[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let event = reader.next() {
        switch event {
        case .head: break
        case .body(let part): parts.append(part.count)
        case .end: return Reading(parts: parts, end: "end")
        case .refused(let refusal):
          return Reading(parts: parts, end: "\(refusal.status) \(refusal.reason)")
        }
      }
    }
    return Reading(parts: parts, end: "more")
  }

  @Test("the chunks that have come together are one part")
  func together() {
    let chunks = String(repeating: "1\r\nx\r\n", count: 1000)
    #expect(read(chunks + "0\r\n\r\n") == Reading(parts: [1000], end: "end"))
    #expect(read(chunks + "0\r\n\r\n", inPartsOf: 600).parts.count <= 11)
    #expect(read(chunks + "3\r\nab") == Reading(parts: [1002], end: "more"))
    #expect(read(chunks).end == "more")
  }

  @Test(
    "a body of tiny chunks is refused, one of larger chunks may have any number",
    arguments: [
      // The last chunk, of no bytes, counts too.
      (1, 4368, "end"), (1, 4369, "400"), (15, 65_520, "end"), (16, 100_000, "end"),
    ])
  func tiny(size: Int, count: Int, end: String) {
    let chunk = String(size, radix: 16) + "\r\n" + String(repeating: "x", count: size) + "\r\n"
    let answer = read(String(repeating: chunk, count: count) + "0\r\n\r\n")
    #expect(answer.end.hasPrefix(end))
    if end == "400" { #expect(answer.end.contains("send larger chunks")) }
  }

  @Test(
    "a chunk's size is hexadecimal, of at most 15 digits",
    arguments: [
      ("a", "more"), ("A", "more"), ("00000000000000a", "more"), ("0000000000000000a", "400"),
      ("a;x=y", "more"), ("a ;x", "more"), ("", "400"), ("g", "400"), ("a x", "400"),
      (";x", "400"), ("+a", "400"),
    ])
  func size(line: String, end: String) {
    #expect(read(line + "\r\n").end.hasPrefix(end))
  }
}
