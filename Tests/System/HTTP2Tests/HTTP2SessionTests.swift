import TestSupport
import Testing

@testable import _HTTP2

@Suite("HTTP/2 sessions", .timeLimit(.minutes(10)))
struct HTTP2SessionTests {
  /// A client and a server session that exchange bytes, and the bytes that each has sent.
  struct Pair {
    let client: HTTP2Session
    let server: HTTP2Session
    var fromClient: [UInt8] = []
    var fromServer: [UInt8] = []

    init(
      streamLimit: UInt32 = 100, wanted: [StaticString]? = nil, firstStream: Int32 = 1
    ) throws {
      var settings = HTTP2Session.Settings()
      settings.maxConcurrentStreams = streamLimit
      var own = HTTP2Session.Settings()
      own.fieldNames = wanted ?? []
      own.keepsOtherFields = wanted == nil
      own.firstStream = firstStream
      client = try HTTP2Session(.client, settings: own)
      server = try HTTP2Session(.server, settings: settings)
    }

    /// Exchanges bytes until neither side has more to send.
    mutating func exchange() throws -> (client: [HTTP2Session.Event], server: [HTTP2Session.Event])
    {
      var events: (client: [HTTP2Session.Event], server: [HTTP2Session.Event]) = ([], [])
      while true {
        var up: [UInt8] = []
        var down: [UInt8] = []
        events.client += try client.send(into: &up, upTo: 1 << 20)
        events.server += try server.receive(up, count: up.count)
        events.server += try server.send(into: &down, upTo: 1 << 20)
        events.client += try client.receive(down, count: down.count)
        fromClient += up
        fromServer += down
        if up.isEmpty, down.isEmpty { return events }
      }
    }
  }

  private static func request() -> HeaderBlock {
    var headers = HeaderBlock()
    headers.append(":method", "POST")
    headers.append(":scheme", "https")
    headers.append(":authority", "localhost")
    headers.append(":path", "/3/device/0a", isIndexed: false)
    headers.append("apns-topic", "com.example.app")
    return headers
  }

  private static func response() -> HeaderBlock {
    var headers = HeaderBlock()
    headers.append(":status", "410")
    headers.append("content-type", "application/json")
    return headers
  }

  @Test(
    "events have only the header fields that were requested",
    arguments: [
      (nil, [":status", "content-type"]), ([":status", "apns-id"], [":status"]), ([], []),
    ] as [([StaticString]?, [String])])
  func wantedFields(names: [StaticString]?, seen: [String]) throws {
    var pair = try Pair(wanted: names)
    let stream = try pair.client.submitRequest(Self.request(), body: [])
    _ = try pair.exchange()
    pair.server.submitResponse(stream: stream, Self.response())
    let fields = try pair.exchange().client.compactMap { event in
      if case .headers(_, let fields, _) = event { fields.map(\.name) } else { nil }
    }
    #expect(fields == [seen])
  }

  @Test("a request and its response arrive complete")
  func roundTrip() throws {
    var pair = try Pair()
    let body = [UInt8](repeating: 7, count: 100_000)
    let stream = try pair.client.submitRequest(Self.request(), body: body)
    let sent = try pair.exchange().server
    guard case .headers(stream, let fields, false)? = sent.first(where: { $0.isHeaders }) else {
      Issue.record("no headers")
      return
    }
    #expect(fields.contains(HeaderField(":path", "/3/device/0a")))
    #expect(sent.flatMap(\.bytes) == body)
    #expect(sent.contains(.end(stream: stream)))
    pair.server.submitResponse(stream: stream, Self.response(), body: [1, 2, 3])
    let answer = try pair.exchange().client
    #expect(answer.flatMap(\.bytes) == [1, 2, 3])
    #expect(answer.last == .closed(stream: stream, code: .noError))
  }

  @Test("a request beyond the peer's stream limit is sent once a stream is free")
  func deferred() throws {
    var pair = try Pair(streamLimit: 1)
    _ = try pair.exchange()
    let bodies: [[UInt8]] = [Array(repeating: 1, count: 70_000), [2], [3]]
    let streams = try bodies.map { try pair.client.submitRequest(Self.request(), body: $0) }
    var read: [Int32: [UInt8]] = [:]
    for stream in streams {
      for event in try pair.exchange().server {
        if case .data(let stream, let bytes) = event { read[stream, default: []] += bytes }
      }
      pair.server.submitResponse(stream: stream, Self.response())
    }
    #expect(streams.map { read[$0] } == bodies)
  }

  @Test("a value with line breaks cannot add a header field")
  func headerInjection() throws {
    var pair = try Pair()
    var headers = Self.request()
    headers.append("apns-collapse-id", "a\r\nx: y\0z")
    _ = try pair.client.submitRequest(headers, body: [])
    let events = try pair.exchange().server
    guard case .headers(_, let fields, true)? = events.first(where: { $0.isHeaders }) else {
      Issue.record("no headers")
      return
    }
    #expect(fields.last == HeaderField("apns-collapse-id", "a  x: y z"))
  }

  @Test(
    "a header list of 16 KiB is accepted, and a larger one resets its stream",
    arguments: [(16 * 1024, true), (16 * 1024 + 1, false), (17_000, false)])
  func headerCap(size: Int, fits: Bool) throws {
    var pair = try Pair()
    var headers = Self.request()
    // Each of the six fields counts 32 bytes more (RFC 9113 section 6.5.2).
    let rest = size - headers.byteCount - 6 * 32 - 1
    headers.append("x", String(repeating: "a", count: rest), isIndexed: false)
    let stream = try pair.client.submitRequest(headers, body: [])
    let events = try pair.exchange()
    #expect(events.server.contains { $0.isHeaders } == fits)
    #expect(events.client.contains(.closed(stream: stream, code: .internalError)) == !fits)
    #expect(!pair.client.isFinished)
  }

  @Test(
    "a header written by HeaderCompressor (up to 15 KiB) and one written by nghttp2 both arrive",
    arguments: [15 * 1024, 15 * 1024 + 1])
  func ownHeader(size: Int) throws {
    var pair = try Pair()
    var headers = Self.request()
    let value = String(repeating: "a", count: size - headers.byteCount - 1)
    headers.append("x", value, isIndexed: false)
    #expect(headers.byteCount == size)
    _ = try pair.client.submitRequest(headers, body: [])
    let fields = try pair.exchange().server.compactMap { event in
      if case .headers(_, let fields, _) = event { fields.last } else { nil }
    }
    #expect(fields == [HeaderField("x", value)])
  }

  @Test("the last stream identifier is 2,147,483,647, and no stream opens after it")
  func lastStream() throws {
    var pair = try Pair(firstStream: .max - 2)
    for stream in [Int32.max - 2, .max] {
      #expect(pair.client.takesRequests && !pair.client.isUsedUp)
      #expect(try pair.client.submitRequest(Self.request(), body: [1]) == stream)
      #expect(try pair.exchange().server.contains(.end(stream: stream)))
    }
    #expect(pair.client.isUsedUp && !pair.client.takesRequests)
    #expect(throws: HTTP2Error.self) { try pair.client.submitRequest(Self.request(), body: [1]) }
    pair.server.submitResponse(stream: .max, Self.response())
    #expect(try pair.exchange().client.contains(.end(stream: .max)), "open streams continue")
  }

  @Test("the flow-control window is 64 KiB before SETTINGS and 16 MiB after")
  func windows() throws {
    var pair = try Pair()
    #expect(pair.server.remoteWindow == 65_535)
    _ = try pair.exchange()
    #expect(pair.server.remoteWindow == 16 << 20)
    #expect(pair.client.remoteWindow == 16 << 20)
  }

  @Test(
    "at most 1024 bytes of a GOAWAY's debug data are kept", arguments: [(1024, 1024), (1025, 1024)])
  func goAwayData(count: Int, kept: Int) throws {
    var pair = try Pair()
    _ = try pair.exchange()
    pair.server.submitGoAway(debugData: Array(repeating: 0x78, count: count))
    let data = try pair.exchange().client.compactMap { event in
      if case .goAway(_, _, let data) = event { data.count } else { nil }
    }
    #expect(data == [kept])
  }

  @Test("the peer's stream limit is known once its SETTINGS frame arrived")
  func streamLimit() throws {
    var pair = try Pair(streamLimit: 3)
    #expect(try pair.exchange().client.contains(.settings))
    #expect(pair.client.remoteStreamLimit == 3)
    pair.server.submitStreamLimit(9)
    _ = try pair.exchange()
    #expect(pair.client.remoteStreamLimit == 9)
  }

  @Test("GOAWAY closes the streams above its last stream identifier as refused")
  func goAway() throws {
    var pair = try Pair()
    let streams = try (0..<3).map { _ in try pair.client.submitRequest(Self.request(), body: []) }
    _ = try pair.exchange()
    pair.server.submitGoAway(lastStream: streams[1], debugData: Array("why".utf8))
    let events = try pair.exchange().client
    #expect(
      events.contains(
        .goAway(lastStream: streams[1], code: .noError, debugData: Array("why".utf8))))
    #expect(events.contains(.closed(stream: streams[2], code: .refusedStream)))
    #expect(!events.contains(.closed(stream: streams[1], code: .refusedStream)))
  }

  @Test("no mutation of either side's bytes crashes the other side", arguments: 0..<20)
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pair = try Pair()
    for _ in 0..<4 {
      _ = try pair.client.submitRequest(Self.request(), body: Array("{\"aps\":{}}".utf8))
    }
    for case .end(let stream) in try pair.exchange().server {
      pair.server.submitResponse(stream: stream, Self.response(), body: Array("{}".utf8))
    }
    pair.server.submitGoAway(lastStream: 3)
    _ = try pair.exchange()
    for _ in 0..<100 {
      let server = try HTTP2Session(.server)
      try feed(Self.mutated(pair.fromClient, &random), to: server, &random)
      let client = try HTTP2Session(.client)
      for _ in 0..<4 { _ = try client.submitRequest(Self.request(), body: [1]) }
      try feed(Self.mutated(pair.fromServer, &random), to: client, &random)
    }
  }

  /// Feeds bytes in random pieces and discards the output; an HTTP2Error is a valid result.
  private func feed(
    _ bytes: [UInt8], to session: HTTP2Session, _ random: inout SeededGenerator
  ) throws {
    var rest = bytes[...]
    do throws(HTTP2Error) {
      while !rest.isEmpty {
        let piece = Array(rest.prefix(Int.random(in: 1...64, using: &random)))
        rest = rest.dropFirst(piece.count)
        for event in try session.receive(piece, count: piece.count) {
          if case .end(let stream) = event {
            session.submitResponse(stream: stream, Self.response())
          }
        }
        var output: [UInt8] = []
        _ = try session.send(into: &output, upTo: 1 << 16)
      }
    } catch { #expect(!error.message.isEmpty) }
  }

  private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...8, using: &random) {
      // Most mutations leave the client's preface of 24 bytes intact, so that the frames are parsed.
      let low = Int.random(in: 0..<10, using: &random) == 0 ? 0 : min(24, bytes.count - 1)
      guard low >= 0, low < bytes.count else { break }
      let place = Int.random(in: low..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 9))
      default:
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      }
    }
    return bytes
  }
}

extension HTTP2Session.Event {
  var isHeaders: Bool { if case .headers = self { true } else { false } }
  var bytes: [UInt8] { if case .data(_, let bytes) = self { bytes } else { [] } }
}
