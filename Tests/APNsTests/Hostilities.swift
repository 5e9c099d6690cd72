import APNsTestSupport
import Foundation

extension Hostility {
  /// Breaches of the protocol, which end the connection at once.
  static let broken: [Hostility] = [
    .init("an HTTP/1.1 answer in place of settings", ["maybe", "200"]) {
      try $0.write(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
      try $0.drain()
    },
    .init("random bytes in place of settings", ["maybe", "200"]) {
      try $0.write((0..<4096).map { _ in .random(in: 0...255) })
      try $0.drain()
    },
    .init("an answer without settings before it", ["maybe", "200"]) {
      try $0.write(Frame.headers($0.request(), Block.ok))
      try $0.drain()
    },
    .init("a frame longer than any may be", ["maybe"]) {
      let stream = try $0.begin()
      try $0.write([0xff, 0xff, 0xff, 0, 0] + Frame.headers(stream, Block.ok))
      try $0.drain()
    },
    .init("a CONTINUATION flood", ["maybe"]) { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.ok, flags: 0))
      while true {
        try wire.write(
          Frame.continuation(stream, Block.field("x", String(repeating: "y", count: 1000))))
      }
    },
    .init("empty CONTINUATIONs without end", ["maybe"]) { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.ok, flags: 0))
      while true { try wire.write(Frame.continuation(stream, [])) }
    },
    .init("a header block that is no HPACK", ["maybe"]) {
      try $0.write(Frame.headers($0.begin(), [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
      try $0.drain()
    },
    .init("an answer on a stream that was not opened", ["maybe"]) {
      let stream = try $0.begin()
      try $0.write(Frame.headers(stream + 98, Block.ok))
      try $0.drain()
    },
    .init("an answer on stream 0", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.headers(0, Block.ok))
      try $0.drain()
    },
    .init("an answer on a stream of its own", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.headers(2, Block.ok))
      try $0.drain()
    },
    .init("a push promise, which was not asked for", ["maybe"]) {
      let stream = try $0.begin()
      try $0.write(Frame.pushPromise(stream, promised: 2, Block.ok))
      try $0.drain()
    },
    .init("a connection window beyond 2^31", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.windowUpdate(0, 0x7fff_ffff))
      try $0.drain()
    },
    .init("a window update of zero", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.windowUpdate(0, 0))
      try $0.drain()
    },
    .init("settings with an initial window beyond 2^31", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.settings([(4, 0xffff_ffff)]))
      try $0.drain()
    },
    .init("a PING flood of which no answer is read", ["maybe"]) { wire in
      _ = try wire.begin()
      let pings = (0..<2000).flatMap { Frame.ping($0) }
      while true { try wire.write(pings) }
    },
    .init("a SETTINGS flood of which no answer is read", ["maybe"]) { wire in
      _ = try wire.begin()
      let settings = (0..<2000).flatMap { Frame.settings([(3, $0)]) }
      while true { try wire.write(settings) }
    },
    .init("GOAWAY whose last stream rises", ["200"]) {
      let stream = try $0.begin()
      try $0.write(Frame.goAway(0) + Frame.goAway(stream + 4) + Frame.headers(stream, Block.ok))
      try $0.drain()
    },
    .init("the connection's end after the request", ["maybe"]) { _ = try $0.begin() },
  ]

  /// Answers that are wrong or odd, and harm at most their stream.
  static let answering: [Hostility] = [
    .init("an answer twice", ["200"], isReplaced: false) {
      let answer = try Frame.headers($0.begin(), Block.ok)
      try $0.write(answer + answer)
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("a second answer in place of trailers", ["200", "maybe"], isReplaced: false) {
      let stream = try $0.begin()
      try $0.write(Frame.headers(stream, Block.ok, flags: Frame.endHeaders))
      try $0.write(Frame.headers(stream, Block.status("410")))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("trailers", ["200"], isReplaced: false) {
      let stream = try $0.begin()
      try $0.write(Frame.headers(stream, Block.ok, flags: Frame.endHeaders))
      try $0.write(Frame.headers(stream, Block.field("checksum", "1")))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    // libnghttp2 takes it for a fault of the connection, which RFC 9113 section 5.4.1 allows.
    .init("DATA without headers", ["maybe"]) {
      try $0.write(Frame.data($0.begin(), Array("{}".utf8), last: true))
      try $0.drain()
    },
    .init("more header fields than are taken", ["maybe"], isReplaced: false) {
      let fields = (0..<17).flatMap { Block.field("x\($0)", String(repeating: "y", count: 1000)) }
      let stream = try $0.begin()
      try $0.write(Frame.headers(stream, Block.ok + fields.prefix(15_000), flags: 0))
      try $0.write(Frame.continuation(stream, Array(fields.dropFirst(15_000)), last: true))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("no status", ["maybe"], isReplaced: false) {
      try $0.write(Frame.headers($0.begin(), Block.field("apns-id", "x")))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("two statuses", ["maybe"], isReplaced: false) {
      try $0.write(Frame.headers($0.begin(), Block.ok + Block.ok))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    status("a status of letters", "abc", ["maybe"]),
    status("a status of 0", "000", ["maybe"]),
    status("a status of two digits", "20", ["maybe"]),
    status("a status of a million", "1000000", ["maybe"]),
    status("a status with a sign", "+20", ["maybe"]),
    status("a status no one knows", "999", ["999"]),
    status("status 101, which HTTP/2 has not", "101", ["maybe"]),
    .init("interim answers before the answer", ["200"], isReplaced: false) {
      let stream = try $0.begin()
      for status in ["100", "103", "199"] {
        try $0.write(Frame.headers(stream, Block.status(status), flags: Frame.endHeaders))
      }
      try $0.write(Frame.headers(stream, Block.ok))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("an interim answer and no other", ["maybe"], isReplaced: false) {
      try $0.write(Frame.headers($0.begin(), Block.status("100")))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    body("a body that is no JSON", Array("<html>".utf8)),
    body("a body of zeros", [UInt8](repeating: 0, count: 3000)),
    body("a body of 16,000 brackets", Array(repeating: UInt8(ascii: "["), count: 16_000)),
    body("a reason that is no text", Array(#"{"reason":[1],"timestamp":"never"}"#.utf8)),
    body("a timestamp beyond 64 bits", Array(#"{"timestamp":99999999999999999999999}"#.utf8)),
    .init("a body of ten megabytes, whatever the windows say", ["400"], isReplaced: false) { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.status("400"), flags: Frame.endHeaders))
      let part = Frame.data(stream, [UInt8](repeating: 0x20, count: 16_000))
      for _ in 0..<640 { try wire.write(part) }
      while true { try wire.write(Frame.headers(wire.request(), Block.ok)) }
    },
    .init("a body without end, a byte at a time", ["400"], isReplaced: false) { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.status("400"), flags: Frame.endHeaders))
      for _ in 0..<5000 { try wire.write(Frame.data(stream, [0x20])) }
      while true { try wire.write(Frame.headers(wire.request(), Block.ok)) }
    },
    .init("a stream's window beyond 2^31", ["maybe"], isReplaced: false) {
      try $0.write(Frame.windowUpdate($0.begin(), 0x7fff_ffff))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("a reset for every request", ["maybe"], isReplaced: false) {
      try $0.write(Frame.reset($0.begin(), 2))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("REFUSED_STREAM for every request", ["never"], isReplaced: false) {
      try $0.write(Frame.reset($0.begin(), 7))
      for _ in 1...100 { try $0.write(Frame.reset($0.request(), 7)) }
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("GOAWAY with last stream 0", ["200"]) {
      _ = try $0.begin()
      try $0.write(Frame.goAway(0, reason: #"{"reason":"Shutdown"}"#))
      try $0.drain()
    },
    .init("GOAWAY with the highest stream, and then the answer", ["200"]) {
      let stream = try $0.begin()
      try $0.write(Frame.goAway(.max) + Frame.headers(stream, Block.ok))
      try $0.drain()
    },
    .init("GOAWAY with the highest stream, and then the end", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.goAway(.max))
    },
    .init("GOAWAY with a reason that is no JSON", ["200"]) {
      _ = try $0.begin()
      try $0.write(
        Frame.goAway(0, code: 0xffff_ffff, reason: String(repeating: "[", count: 16_000)))
      try $0.drain()
    },
  ]

  /// Servers that say nothing wrong and do nothing.
  static let endless: [Hostility] = [
    .init("silence", ["maybe", "never"]) { try $0.drain() },
    .init("settings and silence", ["maybe", "never"]) {
      _ = try $0.begin()
      try $0.drain()
    },
    .init("windows of zero for ever", ["maybe", "never"]) {
      try $0.write(Frame.settings([(4, 0)]) + Frame.settingsAnswer)
      try $0.drain()
    },
    .init("a limit of no stream for ever", ["maybe", "never"]) {
      try $0.write(Frame.settings([(3, 0)]) + Frame.settingsAnswer)
      try $0.drain()
    },
    .init("headers of the answer and no end", ["200", "never"]) {
      try $0.write(Frame.headers($0.begin(), Block.ok, flags: Frame.endHeaders))
      try $0.drain()
    },
    .init("one PING after the other, each answer read", ["maybe", "never"]) { wire in
      _ = try wire.begin()
      while true { try wire.pingPong() }
    },
    .init("interim answers for ever, as fast as they go", ["maybe", "never"]) { wire in
      let stream = try wire.begin()
      let interim = Frame.headers(stream, Block.status("103"), flags: Frame.endHeaders)
      let many = (0..<1000).flatMap { _ in interim }
      while true { try wire.write(many) }
    },
  ]

  private static func status(
    _ name: String, _ status: String, _ outcomes: Set<String>
  ) -> Hostility {
    .init(name, outcomes, isReplaced: false) {
      try $0.write(Frame.headers($0.begin(), Block.status(status)))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    }
  }

  private static func body(_ name: String, _ body: [UInt8]) -> Hostility {
    .init(name, ["400"], isReplaced: false) {
      let stream = try $0.begin()
      try $0.write(Frame.headers(stream, Block.status("400"), flags: Frame.endHeaders))
      try $0.write(Frame.data(stream, body, last: true))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    }
  }
}
