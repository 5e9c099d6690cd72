import Foundation
import TestSupport
import Testing
import _HTTPServer

@Suite("HTTP server: files and streams", .timeLimit(.minutes(10)))
struct BodyTests {
  /// A file of 100,000 different bytes.
  final class Fixture {
    let path = NSTemporaryDirectory() + "martlet-file-\(UUID().uuidString)"
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    init() throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private func fetch(_ server: HTTPServer, _ arguments: [String]) async -> (
    head: String, body: [UInt8]
  ) {
    let output = NSTemporaryDirectory() + "martlet-body-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let url = "http://127.0.0.1:\(server.port)/file"
    let head = await runProgram(
      "/usr/bin/curl", ["-s", "-D", "-", "-o", output] + arguments + [url]
    )
    .output
    let body = (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data()
    return (head, Array(body))
  }

  @Test(
    "a file is sent whole or in the part asked for",
    arguments: [
      (nil, "200", 0..<100_000), ("bytes=0-99999", "206", 0..<100_000),
      ("bytes=10-19", "206", 10..<20), ("bytes=99990-", "206", 99_990..<100_000),
      ("bytes=-5", "206", 99_995..<100_000), ("bytes=50-1000000", "206", 50..<100_000),
      ("bytes=100000-", "416", 0..<0), ("bytes=-0", "416", 0..<0),
      ("bytes=0-1,5-6", "200", 0..<100_000), ("bytes=9-3", "200", 0..<100_000),
      ("lines=1-2", "200", 0..<100_000), ("bytes=a-b", "200", 0..<100_000),
      ("bytes=99999999999999999999-", "200", 0..<100_000),
      // The largest number that fits.
      ("bytes=0-9223372036854775807", "206", 0..<100_000),
      ("bytes=99999-9223372036854775807", "206", 99_999..<100_000),
      ("bytes=9223372036854775807-9223372036854775807", "416", 0..<0),
      ("bytes=9223372036854775807-", "416", 0..<0),
      ("bytes=-9223372036854775807", "206", 0..<100_000),
    ] as [(String?, String, Range<Int>)])
  func file(range: String?, status: String, expected: Range<Int>) async throws {
    let fixture = try Fixture()
    let server = try HTTPServer(.patient) { [path = fixture.path] _ in
      HTTPResponse(status: 200, headers: [("Content-Type", "image/gif")], body: .file(path))
    }
    let (head, body) = await fetch(server, range.map { ["-H", "Range: \($0)"] } ?? [])
    #expect(head.hasPrefix("HTTP/1.1 \(status) "))
    #expect(head.contains("Content-Length: \(expected.count)\r\n"))
    #expect(body == Array(fixture.bytes[expected]))
    if status == "206" {
      #expect(
        head.contains(
          "Content-Range: bytes \(expected.lowerBound)-\(expected.upperBound - 1)/100000\r\n"))
    }
    await server.stop()
  }

  @Test("HEAD of a file has its size")
  func headOfFile() async throws {
    let fixture = try Fixture()
    let server = try HTTPServer(.patient) { [path = fixture.path] _ in
      HTTPResponse(status: 200, body: .file(path))
    }
    let (head, body) = await fetch(server, ["-I"])
    #expect(head.contains("Content-Length: 100000\r\n"))
    #expect(head.contains("Accept-Ranges: bytes\r\n"))
    #expect(String(decoding: body, as: UTF8.self).hasPrefix("HTTP/1.1 200"))
    await server.stop()
  }

  @Test("a path without a file, or of a folder, is a 404", arguments: ["/no/such/file", "/tmp"])
  func missing(_ path: String) async throws {
    let server = try HTTPServer(.patient) { _ in HTTPResponse(status: 200, body: .file(path)) }
    #expect(await fetch(server, []).head.hasPrefix("HTTP/1.1 404 "))
    await server.stop()
  }

  @Test("chunks of a stream arrive as they are made")
  func stream() async throws {
    let (chunks, feed) = AsyncStream<[UInt8]>.makeStream()
    let server = try HTTPServer(.patient) { _ in
      HTTPResponse(
        status: 200, headers: [("Content-Type", "text/event-stream")], body: .stream(chunks))
    }
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    for word in ["first", "second"] {
      feed.yield(Array("data: \(word)\n\n".utf8))
      #expect(await client.read { $0.contains("data: \(word)") }.contains("data: \(word)"))
    }
    feed.yield([UInt8](repeating: 0x61, count: 300_000))
    feed.finish()
    let rest = await client.read { $0.hasSuffix("\r\n0\r\n\r\n") }
    #expect(rest.count(where: { $0 == "a" }) >= 300_000)
    await server.stop()
  }

  @Test(
    "a stream ends when the client disconnects, between its chunks and within one",
    arguments: [1, 64 << 20])
  func streamAbandoned(size: Int) async throws {
    let (chunks, feed) = AsyncStream<[UInt8]>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    feed.onTermination = { _ in end.finish() }
    let server = try HTTPServer(.patient) { _ in HTTPResponse(status: 200, body: .stream(chunks)) }
    do {
      let client = RawClient(port: server.port)
      await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      feed.yield([0x61])
      _ = await client.read { $0.hasSuffix("a\r\n") }
      feed.yield([UInt8](repeating: 0x61, count: size))
      _ = await client.read { $0.contains("a") }
    }
    // The reader has closed its end, so that the first chunk is answered by a reset, and one of the
    // next ones fails.
    for _ in 0..<1000 { feed.yield([0x61]) }
    for await _ in ended {}
    await server.stop()
  }

  @Test("stop() ends an endless stream")
  func streamStopped() async throws {
    let (chunks, feed) = AsyncStream<[UInt8]>.makeStream()
    let server = try HTTPServer(.patient) { _ in HTTPResponse(status: 200, body: .stream(chunks)) }
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    feed.yield(Array("on".utf8))
    _ = await client.read { $0.contains("on\r\n") }
    await server.stop()
    #expect(await client.readToEnd().hasSuffix("0\r\n\r\n"))
  }
}
