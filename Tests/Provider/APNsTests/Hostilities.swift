import APNsTestSupport
import Foundation

extension Hostility {
  /// Protocol violations that are connection errors (RFC 9113 section 5.4.1).
  static let broken: [Hostility] = [
    .init("an HTTP/1.1 response instead of SETTINGS", ["maybe", "200"]) {
      try $0.write(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
      try $0.drain()
    },
    .init("random bytes instead of SETTINGS", ["maybe", "200"]) {
      try $0.write((0..<4096).map { _ in .random(in: 0...255) })
      try $0.drain()
    },
    .init("a response without SETTINGS before it", ["maybe", "200"]) {
      try $0.write(Frame.headers($0.request(), Block.ok))
      try $0.drain()
    },
    .init("a frame beyond SETTINGS_MAX_FRAME_SIZE", ["maybe"]) {
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
    .init("endless empty CONTINUATION frames", ["maybe"]) { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.ok, flags: 0))
      while true { try wire.write(Frame.continuation(stream, [])) }
    },
    .init("a header block that is not HPACK", ["maybe"]) {
      try $0.write(Frame.headers($0.begin(), [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
      try $0.drain()
    },
    .init("a response on an idle stream", ["maybe"]) {
      let stream = try $0.begin()
      try $0.write(Frame.headers(stream + 98, Block.ok))
      try $0.drain()
    },
    .init("a response on stream 0", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.headers(0, Block.ok))
      try $0.drain()
    },
    .init("a response on a stream that the server opened", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.headers(2, Block.ok))
      try $0.drain()
    },
    .init("a PUSH_PROMISE frame", ["maybe"]) {
      let stream = try $0.begin()
      try $0.write(Frame.pushPromise(stream, promised: 2, Block.ok))
      try $0.drain()
    },
    .init("a connection flow-control window beyond 2^31", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.windowUpdate(0, 0x7fff_ffff))
      try $0.drain()
    },
    .init("a WINDOW_UPDATE of zero", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.windowUpdate(0, 0))
      try $0.drain()
    },
    .init("SETTINGS_INITIAL_WINDOW_SIZE beyond 2^31", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.settings([(4, 0xffff_ffff)]))
      try $0.drain()
    },
    .init("a PING flood whose acknowledgements are not read", ["maybe"]) { wire in
      _ = try wire.begin()
      let pings = (0..<2000).flatMap { Frame.ping($0) }
      while true { try wire.write(pings) }
    },
    .init("a SETTINGS flood whose acknowledgements are not read", ["maybe"]) { wire in
      _ = try wire.begin()
      let settings = (0..<2000).flatMap { Frame.settings([(3, $0)]) }
      while true { try wire.write(settings) }
    },
    .init("GOAWAY whose last stream rises", ["200"]) {
      let stream = try $0.begin()
      try $0.write(Frame.goAway(0) + Frame.goAway(stream + 4) + Frame.headers(stream, Block.ok))
      try $0.drain()
    },
    .init("the connection closed after the request", ["maybe"]) { _ = try $0.begin() },
  ]

  /// Malformed or unusual responses that are at most stream errors.
  static let answering: [Hostility] = [
    .init("a response sent twice", ["200"], isReplaced: false) {
      let answer = try Frame.headers($0.begin(), Block.ok)
      try $0.write(answer + answer)
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("a second response instead of trailers", ["200", "maybe"], isReplaced: false) {
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
    // libnghttp2 treats it as a connection error, which RFC 9113 section 5.4.1 allows.
    .init("DATA without headers", ["maybe"]) {
      try $0.write(Frame.data($0.begin(), Array("{}".utf8), last: true))
      try $0.drain()
    },
    .init("more header fields than the limit", ["maybe"], isReplaced: false) {
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
    status("a status that is not a number", "abc", ["maybe"]),
    status("a status of 0", "000", ["maybe"]),
    status("a status of two digits", "20", ["maybe"]),
    status("a status of a million", "1000000", ["maybe"]),
    status("a status with a sign", "+20", ["maybe"]),
    status("an unknown status", "999", ["999"]),
    status("status 101, which HTTP/2 does not allow", "101", ["maybe"]),
    .init("interim responses before the final one", ["200"], isReplaced: false) {
      let stream = try $0.begin()
      for status in ["100", "103", "199"] {
        try $0.write(Frame.headers(stream, Block.status(status), flags: Frame.endHeaders))
      }
      try $0.write(Frame.headers(stream, Block.ok))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    .init("an interim response that ends the stream", ["maybe"], isReplaced: false) {
      try $0.write(Frame.headers($0.begin(), Block.status("100")))
      while true { try $0.write(Frame.headers($0.request(), Block.ok)) }
    },
    body("a body that is not JSON", Array("<html>".utf8)),
    body("a body of zeros", [UInt8](repeating: 0, count: 3000)),
    body("a body of 16,000 brackets", Array(repeating: UInt8(ascii: "["), count: 16_000)),
    body("a reason that is not a string", Array(#"{"reason":[1],"timestamp":"never"}"#.utf8)),
    body("a timestamp beyond 64 bits", Array(#"{"timestamp":99999999999999999999999}"#.utf8)),
    .init("a body of ten megabytes beyond the flow-control windows", ["400"], isReplaced: false) {
      wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.status("400"), flags: Frame.endHeaders))
      let part = Frame.data(stream, [UInt8](repeating: 0x20, count: 16_000))
      for _ in 0..<640 { try wire.write(part) }
      while true { try wire.write(Frame.headers(wire.request(), Block.ok)) }
    },
    .init("an endless body, one byte at a time", ["400"], isReplaced: false) { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.status("400"), flags: Frame.endHeaders))
      for _ in 0..<5000 { try wire.write(Frame.data(stream, [0x20])) }
      while true { try wire.write(Frame.headers(wire.request(), Block.ok)) }
    },
    .init("a stream flow-control window beyond 2^31", ["maybe"], isReplaced: false) {
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
    .init("GOAWAY with the highest last stream, and then the response", ["200"]) {
      let stream = try $0.begin()
      try $0.write(Frame.goAway(.max) + Frame.headers(stream, Block.ok))
      try $0.drain()
    },
    .init("GOAWAY with the highest last stream, and then a close", ["maybe"]) {
      _ = try $0.begin()
      try $0.write(Frame.goAway(.max))
    },
    .init("GOAWAY with debug data that is not JSON", ["200"]) {
      _ = try $0.begin()
      try $0.write(
        Frame.goAway(0, code: 0xffff_ffff, reason: String(repeating: "[", count: 16_000)))
      try $0.drain()
    },
  ]

  /// Servers that violate no rule and never finish a response.
  static let endless: [Hostility] = [
    .init("silence", ["maybe", "never"]) { try $0.drain() },
    .init("settings and silence", ["maybe", "never"]) {
      _ = try $0.begin()
      try $0.drain()
    },
    .init("a permanent SETTINGS_INITIAL_WINDOW_SIZE of zero", ["maybe", "never"]) {
      try $0.write(Frame.settings([(4, 0)]) + Frame.settingsAnswer)
      try $0.drain()
    },
    .init("a permanent stream limit of zero", ["maybe", "never"]) {
      try $0.write(Frame.settings([(3, 0)]) + Frame.settingsAnswer)
      try $0.drain()
    },
    .init("response headers without END_STREAM", ["200", "never"]) {
      try $0.write(Frame.headers($0.begin(), Block.ok, flags: Frame.endHeaders))
      try $0.drain()
    },
    .init("endless PINGs whose acknowledgements are read", ["maybe", "never"]) { wire in
      _ = try wire.begin()
      while true { try wire.pingPong() }
    },
    .init("endless interim responses", ["maybe", "never"]) { wire in
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
