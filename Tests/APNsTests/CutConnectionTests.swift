import APNsTestSupport
import Dispatch
import Testing

@testable import APNs

@Suite("A connection that ends in the middle", .timeLimit(.minutes(10)))
struct CutConnectionTests {
  /// All that a good server says about one push.
  static let conversation = (
    settings: Frame.settings([(3, 100)]) + Frame.settingsAnswer,
    answer: Frame.headers(
      1, Block.status("410") + Block.field("apns-id", "x"), flags: Frame.endHeaders),
    body: Frame.data(1, Array(#"{"reason":"Unregistered","timestamp":7}"#.utf8), last: true)
  )

  @Test("at any byte of the first answer: answered from the status on, maybe sent before it")
  func everyByte() async throws {
    let (settings, answer, body) = Self.conversation
    let bytes = settings + answer + body
    for cut in 0...bytes.count {
      let server = try HostileServer { wire in
        _ = try wire.request()
        try wire.write(Array(bytes.prefix(cut)))
        try wire.end()
      }
      let client = try server.client()
      let outcome = await client.send(push())
      let isAnswered = cut >= settings.count + answer.count
      #expect(outcome.status == (isAnswered ? 410 : nil), "\(cut): \(outcome)")
      #expect(outcome.kind == (isAnswered ? .answered : .maybeSent), "\(cut): \(outcome)")
      let isWhole = cut == bytes.count
      #expect(outcome.reason == (isWhole ? .unregistered : nil), "\(cut): \(outcome)")
      #expect(await client.send(push()).isSuccess, "\(cut)")
      #expect(server.count == 2)
      await client.close()
      server.stop()
    }
  }

  @Test("at any place of the TLS handshake and after: one outcome, and the next push is accepted")
  func everyRecord() async throws {
    let server = try HostileServer(connections: 0) { _ in }
    defer { server.stop() }
    for cut in stride(from: 1, to: 2400, by: 71) {
      let proxy = try FreezingProxy(to: server.port, cutAfter: cut)
      let client = try server.client(port: proxy.port)
      let first = await client.send(push())
      if !first.isSuccess { #expect(first.message?.isEmpty == false) }
      var second = await client.send(push())
      // Where the first was answered before the cut, the second met it.
      if first.isSuccess, second.kind == .maybeSent { second = await client.send(push()) }
      #expect(second.isSuccess, "\(cut): \(second)")
      await client.close()
      // A push that is never sent came nowhere; none came twice.
      if first.kind == .neverSent { #expect(server.requests[first.apnsID] == nil) }
      #expect(server.requests[first.apnsID, default: 1] == 1)
      #expect(server.requests[second.apnsID] == 1)
      proxy.stop()
    }
  }

  @Test("with the client still writing: what was said before the end is heard, record by record")
  func behindAWrite() async throws {
    let server = try HostileServer { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.ok))
      // More comes, is left unread, and so the socket's end is a reset.
      var last = try wire.request()
      for _ in 1...5 {
        try wire.write(Frame.headers(last, Block.ok))
        last += 2
      }
      try wire.write(Frame.goAway(last - 2))
    }
    defer { server.stop() }
    let client = try server.client()
    let outcomes = await client.send((0..<300).map { _ in push() })
    expectAll(outcomes, "succeed") { $0.isSuccess }
    #expect(server.count == 2)
    await client.close()
  }

  @Test("beside another one leaves that one's pushes alone")
  func besideAnother() async throws {
    let isBroken = DispatchSemaphore(value: 0)
    let number = Counter()
    let server = try HostileServer(connections: 2) { wire in
      guard number.next() == 1 else {
        defer { isBroken.signal() }
        _ = try wire.request()
        try wire.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        return try wire.drain()
      }
      // Retired, with one answer due, when the other breaks.
      let stream = try wire.begin()
      try wire.write(Frame.goAway(stream))
      _ = isBroken.wait(timeout: .now() + 60)
      try wire.write(Frame.headers(stream, Block.ok))
      try wire.drain()
    }
    defer { server.stop() }
    let client = try server.client { $0.keepAlive.silence = .seconds(60) }
    async let first = client.send(push())
    while server.requests.isEmpty, !Task.isCancelled { await Task.yield() }
    let second = await client.send(push())
    #expect(second.kind == .maybeSent)
    #expect(second.message?.contains("HTTP/2") == true)
    #expect(await first.isSuccess)
    #expect(await client.send(push()).isSuccess)
    #expect(server.count == 3)
    await client.close()
  }
}
