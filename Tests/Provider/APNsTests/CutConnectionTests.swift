import APNsTestSupport
import Dispatch
import TestSupport
import Testing

@testable import APNs

@Suite("A connection closed at any point", .timeLimit(.minutes(10)))
struct CutConnectionTests {
  /// All frames of a valid server for one push.
  static let conversation = (
    settings: Frame.settings([(3, 100)]) + Frame.settingsAnswer,
    answer: Frame.headers(
      1, Block.status("410") + Block.field("apns-id", "x"), flags: Frame.endHeaders),
    body: Frame.data(1, Array(#"{"reason":"Unregistered","timestamp":7}"#.utf8), last: true)
  )

  @Test("a push cut off within its response is answered if the header arrived, and else maybe sent")
  func everyByte() async throws {
    let (settings, answer, body) = Self.conversation
    let bytes = settings + answer + body
    for cut in Array(0...bytes.count).sampled(30) {
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
      var second = await client.send(push())
      // If the first push was answered before the cut, the second met it.
      if isAnswered, second.kind == .maybeSent { second = await client.send(push()) }
      #expect(second.isSuccess, "\(cut): \(second)")
      #expect(server.count == 2)
      await client.close()
      server.stop()
    }
  }

  @Test(
    "a push cut off during or after the TLS handshake has one outcome, and the next is accepted")
  func everyRecord() async throws {
    let server = try HostileServer(connections: 0) { _ in }
    defer { server.stop() }
    for cut in stride(from: 1, to: 2400, by: Tier.sample(213, of: 71)) {
      let proxy = try FreezingProxy(to: server.port, cutAfter: cut)
      let client = try server.client(port: proxy.port)
      let first = await client.send(push())
      if !first.isSuccess { #expect(first.message?.isEmpty == false) }
      var second = await client.send(push())
      // If the first push was answered before the cut, the second met it.
      if first.isSuccess, second.kind == .maybeSent { second = await client.send(push()) }
      #expect(second.isSuccess, "\(cut): \(second)")
      await client.close()
      // A push that was never sent did not arrive, and none arrived twice.
      if first.kind == .neverSent { #expect(server.requests[first.apnsID] == nil) }
      #expect(server.requests[first.apnsID, default: 1] == 1)
      #expect(server.requests[second.apnsID] == 1)
      proxy.stop()
    }
  }

  @Test("while the client is still writing, responses sent before the close are read")
  func behindAWrite() async throws {
    let server = try HostileServer { wire in
      let stream = try wire.begin()
      try wire.write(Frame.headers(stream, Block.ok))
      // Further requests stay unread, so closing the socket sends a TCP reset.
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

  @Test("pushes on other connections are not affected")
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
      // This connection is retired with one response due when the other one breaks.
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
