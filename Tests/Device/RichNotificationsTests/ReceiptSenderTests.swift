import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing
import URLSessionMedia
import _HTTPServer

@testable import RichNotifications

/// A server that counts each receipt once, like Martlet's.
private final class ReceiptServer: Sendable {
  struct Seen: Sendable {
    var requests: [HTTPRequest] = []
    var ids: [String] = []
    var once: Set<String> { Set(ids) }
  }

  let server: HTTPServer
  private let seen: Shared

  var now: Seen { seen.value.withLock { $0 } }

  init(status: Int = 200, headers: [(String, String)] = []) throws {
    let seen = Shared()
    self.seen = seen
    server = try HTTPServer(HTTPServer.Configuration()) { request in
      let body = try? JSONValue(parsing: Data(request.body))
      let ids = body?["receipts"]?.array?.compactMap { $0["id"]?.string } ?? []
      seen.value.withLock {
        $0.requests.append(request)
        $0.ids += ids
      }
      return HTTPResponse(status: status, headers: headers, body: [1, 2, 3])
    }
  }

  private final class Shared: Sendable { let value = Mutex(Seen()) }
}

@Suite("Receipts over HTTP", .timeLimit(.minutes(10)))
struct ReceiptSenderTests {
  private let folder = TemporaryFolder()

  private func settings(port: UInt16, deviceSecret: String? = nil) throws -> ReceiptSettings {
    ReceiptSettings(
      endpoint: try #require(URL(string: "http://127.0.0.1:\(port)/v6/receipts")),
      deviceKey: "mk_secret", deviceID: "d1", folder: folder.url, deviceSecret: deviceSecret)
  }

  private func sender(_ settings: ReceiptSettings) -> ReceiptSender {
    ReceiptSender(settings, poster: URLSessionPoster())
  }

  @Test("receipts are sent as JSON with the device key, and removed once accepted")
  func sent() async throws {
    let server = try ReceiptServer()
    let settings = try settings(port: server.server.port)
    let receipts = [ReceiptTests.receipt("n1"), ReceiptTests.receipt("n2")]
    for receipt in receipts { try settings.queue.add(receipt) }
    let report = await sender(settings).resend()
    await server.server.stop()
    #expect(report.sent == 2 && report.kept == 0)
    #expect(settings.queue.waiting().isEmpty)
    let request = try #require(server.now.requests.first)
    #expect(server.now.requests.count == 1)
    #expect(request.method == "POST" && request.path == "/v6/receipts")
    #expect(request.header("Authorization") == "Basic Om1rX3NlY3JldA==")
    #expect(request.header("Content-Type") == "application/json")
    #expect(request.header("Martlet-Device-Secret") == nil)
    #expect(server.now.ids.sorted() == receipts.map(\.id).sorted())
  }

  @Test("a device with a secret of its own shows it")
  func deviceSecret() async throws {
    let server = try ReceiptServer()
    let secret = String(repeating: "s", count: 42) + "A"
    let settings = try settings(port: server.server.port, deviceSecret: secret)
    try settings.queue.add(ReceiptTests.receipt())
    #expect(await sender(settings).resend().sent == 1)
    await server.server.stop()
    #expect(server.now.requests.first?.header("Martlet-Device-Secret") == secret)
  }

  @Test("the same push twice, with a send in between, is one receipt to the server")
  func idempotent() async throws {
    let server = try ReceiptServer()
    let settings = try settings(port: server.server.port)
    try settings.queue.add(ReceiptTests.receipt())
    _ = await sender(settings).resend()
    try settings.queue.add(ReceiptTests.receipt(at: ReceiptTests.morning + 9))
    _ = await sender(settings).resend()
    await server.server.stop()
    #expect(server.now.ids.count == 2)
    #expect(server.now.once == [ReceiptTests.receipt().id])
  }

  @Test("app and extension can send at the same time")
  func together() async throws {
    let server = try ReceiptServer()
    let settings = try settings(port: server.server.port)
    for receipt in ReceiptSendingTests.receipts(150) { try settings.queue.add(receipt) }
    async let app = sender(settings).resend()
    async let other = sender(settings).resend()
    _ = await (app, other)
    await server.server.stop()
    #expect(server.now.once.count == 150)
    #expect(settings.queue.waiting().isEmpty)
  }

  @Test("an extension sends one request's worth")
  func bounded() async throws {
    let server = try ReceiptServer()
    let settings = try settings(port: server.server.port)
    for receipt in ReceiptSendingTests.receipts(101) { try settings.queue.add(receipt) }
    let report = await withCheckedContinuation { continuation in
      sender(settings).send { continuation.resume(returning: $0) }
    }
    await server.server.stop()
    #expect(report.sent == 100)
    #expect(settings.queue.waiting().count == 1)
  }

  @Test("after a server error the receipts are kept")
  func outage() async throws {
    let broken = try ReceiptServer(status: 503)
    let settings = try settings(port: broken.server.port)
    try settings.queue.add(ReceiptTests.receipt())
    let report = await sender(settings).resend()
    await broken.server.stop()
    #expect(report.kept == 1 && report.note == "the server responded with status 503")
    let healthy = try ReceiptServer()
    let again = try self.settings(port: healthy.server.port)
    #expect(await sender(again).resend().sent == 1)
    await healthy.server.stop()
  }

  @Test("without a server the receipts are kept, and the note does not contain the key")
  func nobody() async throws {
    let settings = try settings(port: 1)
    try settings.queue.add(ReceiptTests.receipt())
    let report = await sender(settings).resend()
    #expect(report.kept == 1)
    #expect(report.note?.hasPrefix("the server could not be reached: ") == true)
    #expect(report.note?.contains("secret") == false)
  }

  @Test("after a timeout the receipts are kept")
  func silent() async throws {
    let (released, release) = AsyncStream<Void>.makeStream()
    let server = try HTTPServer(HTTPServer.Configuration()) { _ in
      for await _ in released {}
      return HTTPResponse(status: 200)
    }
    let settings = try settings(port: server.port)
    try settings.queue.add(ReceiptTests.receipt())
    let poster = URLSessionPoster(timeout: .seconds(1))
    let report = await ReceiptSender(settings, poster: poster).resend()
    release.finish()
    await server.stop()
    #expect(report.kept == 1 && report.sent == 0)
    #expect(settings.queue.waiting().count == 1)
  }

  @Test("a redirect is not followed: the key goes to no other server")
  func redirect() async throws {
    let other = try ReceiptServer()
    let server = try ReceiptServer(
      status: 307, headers: [("Location", "http://127.0.0.1:\(other.server.port)/v6/receipts")])
    let settings = try settings(port: server.server.port)
    try settings.queue.add(ReceiptTests.receipt())
    let report = await sender(settings).resend()
    await server.server.stop()
    await other.server.stop()
    #expect(report.kept == 1 && report.note == "the server responded with status 307")
    #expect(other.now.requests.isEmpty)
  }

  @Test(
    "receipts of an earlier id of the device are removed, since they would be refused with all others"
  )
  func earlierDevice() async throws {
    let server = try ReceiptServer()
    let settings = try settings(port: server.server.port, deviceSecret: "own_secret")
    let other = Receipt(
      notificationID: "n1", deviceID: "an earlier id", event: .received, at: .distantPast)
    let own = Receipt(
      notificationID: "n1", deviceID: settings.deviceID, event: .received, at: .now)
    for receipt in [other, own] { try settings.queue.add(receipt) }
    #expect(await sender(settings).resend().sent == 1)
    #expect(settings.queue.waiting().isEmpty)
    await server.server.stop()
    let bodies = server.now.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.count == 1 && !bodies[0].contains("an earlier id"))
  }

  @Test("no descriptions show the key or the device's secret")
  func secret() throws {
    let settings = try settings(port: 1, deviceSecret: "own_secret")
    let post = HTTPPost(
      url: settings.endpoint,
      headers: [
        "Authorization": settings.authorization, "Martlet-Device-Secret": "own_secret",
      ], body: Data())
    var dumped = ""
    dump(settings, to: &dumped)
    dump(post, to: &dumped)
    dump(sender(settings), to: &dumped)
    for text in [
      "\(settings)", String(reflecting: settings), "\(post)", String(reflecting: post), dumped,
    ] {
      #expect(!text.contains("mk_secret") && !text.contains("Om1rX3NlY3JldA"))
      #expect(!text.contains("own_secret"))
    }
  }
}
