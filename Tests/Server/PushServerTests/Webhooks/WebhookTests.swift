import PushModel
import PushPayload
import Synchronization
import Testing
import _Curl
import _OpenSSLCrypto

@testable import PushServer

@Suite("Webhooks", .timeLimit(.minutes(10)))
struct WebhookTests {
  /// An HTTP client that records each call, and answers as a test sets.
  final class Receiver: HTTPClient {
    struct Post: Sendable {
      var body: [UInt8]
      var url: String
      var fields: [String: String]
    }

    let posts = Mutex<[Post]>([])
    let status = Mutex(200)
    var made: [Post] { posts.withLock(\.self) }

    func answer(to request: OutgoingRequest) async throws -> OutgoingRequest.Answer {
      posts.withLock {
        $0.append(
          Post(
            body: request.body ?? [], url: request.url,
            fields: Dictionary(
              request.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })))
      }
      return OutgoingRequest.Answer(status: status.withLock(\.self))
    }
  }

  private func make(_ fixture: Fixture, _ events: String) async -> Fixture.Answer {
    await fixture.request(
      "POST", "/v6/webhooks", role: .admin,
      body: #"{"webhook":{"url":"https://example.com/hook","events":[\#(events)]}}"#)
  }

  private func worker(_ fixture: Fixture, _ client: any HTTPClient) -> WebhookWorker {
    WebhookWorker(
      store: fixture.store, secretKey: fixture.secretKey, http: client, targets: WebhookTargets(),
      clock: fixture.clock.serverClock, owner: "node", log: { _ in })
  }

  @Test("a call is signed with a secret that is shown once")
  func signed() async throws {
    let fixture = try await Fixture()
    let created = await make(fixture, #""notification.create""#)
    #expect(created.status == 201)
    let secret = try #require(created.json["webhook"]?["secret"]?.string)
    let id = try #require(created.json["webhook"]?["id"]?.string)
    let list = await fixture.request("GET", "/v6/webhooks", role: .admin)
    #expect(list.json["webhooks"]?.array?.count == 1 && !list.text.contains(secret))

    let sent = await fixture.send(["alert": "Hi"])
    let receiver = Receiver()
    let worker = worker(fixture, receiver)
    #expect(try await worker.callNext())
    #expect(try await !worker.callNext())
    let post = try #require(receiver.made.first)
    #expect(post.url == "https://example.com/hook")
    let body = try JSONValue(parsing: String(decoding: post.body, as: UTF8.self))
    #expect(body["event"] == "notification.create")
    #expect(body["data"]?["id"] == sent.json["notification"]?["id"])
    let seconds = fixture.clock.now.milliseconds / 1000
    let code = OpenSSLCrypto.hmacSHA256(
      key: Array(secret.utf8), message: Array("\(seconds).".utf8) + post.body)
    #expect(
      post.fields["Martlet-Signature"] == "t=\(seconds),v1=\(Identifiers.hex(code))")

    let deleted = await fixture.request("DELETE", "/v6/webhooks/\(id)", role: .admin)
    #expect(deleted.status == 200 && deleted.json["webhook"]?["secret"] == nil)
    #expect(await fixture.request("DELETE", "/v6/webhooks/\(id)", role: .admin).status == 404)
  }

  @Test("a receiver that does not answer delays no other, and /metrics counts the calls")
  func several() async throws {
    let fixture = try await Fixture()
    for host in ["dead", "good"] {
      _ = await fixture.request(
        "POST", "/v6/webhooks", role: .admin,
        body:
          #"{"webhook":{"url":"https://\#(host).example.com","events":["notification.create"]}}"#)
    }
    for _ in 0..<3 { _ = await fixture.send(["alert": "Hi"]) }
    let receiver = HalfDead()
    let metrics = ServerMetrics()
    let worker = WebhookWorker(
      store: fixture.store, secretKey: fixture.secretKey, http: receiver, targets: WebhookTargets(),
      clock: fixture.clock.serverClock, owner: "node", metrics: metrics, log: { _ in })
    let run = Task { await worker.run() }
    // The three calls to the good host, and the one that is not answered.
    await receiver.heard(4)
    #expect(receiver.dead.withLock(\.self) == 1)
    run.cancel()
    receiver.gone.continuation.finish()
    await run.value
    let text = MetricsPage(version: "1").text(metrics).text
    #expect(text.contains(#"martlet_webhook_calls_total{result="delivered"} 3"#), "\(text)")
    #expect(text.contains("martlet_webhook_call_duration_seconds_count"))
  }

  /// An HTTP client of which one host never answers.
  private final class HalfDead: HTTPClient {
    let dead = Mutex(0)
    let gone = AsyncStream<Void>.makeStream()
    private let requests = AsyncStream<Void>.makeStream()

    func answer(to request: OutgoingRequest) async throws -> OutgoingRequest.Answer {
      if request.url.contains("dead") {
        dead.withLock { $0 += 1 }
        requests.continuation.yield()
        for await _ in gone.stream {}
        return OutgoingRequest.Answer(status: 500)
      }
      requests.continuation.yield()
      return OutgoingRequest.Answer(status: 200)
    }

    func heard(_ count: Int) async {
      var left = count
      for await _ in requests.stream {
        left -= 1
        if left == 0 { return }
      }
    }
  }

  @Test("a failed call is retried, later each time")
  func retries() async throws {
    let fixture = try await Fixture()
    _ = await make(fixture, #""notification.create""#)
    _ = await fixture.send(["alert": "Hi"])
    let receiver = Receiver()
    receiver.status.withLock { $0 = 500 }
    let worker = worker(fixture, receiver)
    #expect(try await worker.callNext())
    #expect(try await !worker.callNext())
    fixture.clock.advance(by: .seconds(5))
    #expect(try await worker.callNext())
    fixture.clock.advance(by: .seconds(9))
    #expect(try await !worker.callNext())
    fixture.clock.advance(by: .seconds(1))
    receiver.status.withLock { $0 = 204 }
    #expect(try await worker.callNext())
    fixture.clock.advance(by: .seconds(86_400))
    #expect(try await !worker.callNext())
    #expect(Set(receiver.made.map(\.body)).count == 1)
  }

  @Test(
    "a call is repeated after times that double up to six hours, but not after 36 hours, however few its attempts were",
    arguments: [
      (failures: 0, age: 0, delay: 5), (1, 5, 10), (12, 40_000, 20_480), (13, 60_000, 6 * 3600),
      (900, 60_000, 6 * 3600), (13, 36 * 3600 - 6 * 3600, 6 * 3600),
      (13, 36 * 3600 - 6 * 3600 + 1, nil), (0, 36 * 3600 - 5, 5), (0, 36 * 3600 - 4, nil),
    ] as [(failures: Int, age: Int, delay: Int?)])
  func delays(failures: Int, age: Int, delay: Int?) {
    let made = Timestamp(milliseconds: 1_700_000_000_000)
    let hook = Webhook(
      id: "hook", app: "app", url: "https://example.com", events: [], sealedSecret: [],
      createdAt: made)
    let call = WebhookCall(
      id: 1, lease: 1, attempts: failures, webhook: hook, event: "device.erase", body: [:],
      createdAt: made)
    let given = WebhookWorker.delay(beforeRetryOf: call, at: made + .seconds(age))
    #expect(given == delay.map { .seconds($0) })
  }

  @Test(
    "a private address is refused, when the webhook is created and when it is called",
    arguments: [
      "http://127.0.0.1/", "http://[::1]/", "https://10.0.0.1/x", "http://169.254.169.254/",
      "http://localhost/", "ftp://example.com/", "https://u:p@example.com/", "nothing",
    ])
  func privateAddress(url: String) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = ["webhook": ["url": .string(url), "events": ["device.erase"]]]
    let answer = await fixture.request("POST", "/v6/webhooks", role: .admin, body: body.text)
    #expect(answer.status == 422 && answer.error.hasPrefix("$.webhook.url"))
    await #expect(throws: (any Error).self) {
      try await CurlClient().answer(
        to: OutgoingRequest(
          url: url, body: [1], allowsPrivate: WebhookTargets().admits(host:address:)))
    }
  }

  @Test(
    "a URL with a port that does not exist, white space or a control character is refused",
    arguments: [
      "https://example.com:0/", "https://example.com:65536/", "https://example.com:99999/",
      "https://example.com/a\r\nHost: other", "https://example.com/a b", " https://example.com/",
      "https://example.com/\u{7f}", "https://example.com/\u{85}",
    ])
  func malformed(url: String) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = ["webhook": ["url": .string(url), "events": ["device.erase"]]]
    let answer = await fixture.request("POST", "/v6/webhooks", role: .admin, body: body.text)
    #expect(answer.status == 422 && answer.error.hasPrefix("$.webhook.url must "))
  }

  @Test(
    "the first and the last port are taken",
    arguments: ["https://example.com:1/", "https://example.com:65535/"])
  func ports(url: String) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = ["webhook": ["url": .string(url), "events": ["device.erase"]]]
    let answer = await fixture.request("POST", "/v6/webhooks", role: .admin, body: body.text)
    #expect(answer.status == 201 && answer.json["webhook"]?["url"] == .string(url))
  }

  @Test("a real server gets the body and the fields")
  func real() async throws {
    let fixture = try await Fixture()
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    let request = OutgoingRequest(
      url: "http://127.0.0.1:\(server.port)/v6/audiences/count",
      fields: [
        ("Content-Type", "application/json"),
        ("Authorization", Fixture.basic(":" + (fixture.keys[.push] ?? ""))),
      ], body: Array(#"{"audience":{"to":"*"}}"#.utf8)
    ) { _, _ in true }
    let answer = try await CurlClient().answer(to: request)
    await server.stop()
    #expect(answer.status == 200)
  }

  @Test("an invalid webhook is refused, and only an admin creates one")
  func refused() async throws {
    let fixture = try await Fixture()
    for events in ["", #""nothing""#] { #expect(await make(fixture, events).status == 422) }
    #expect(await make(fixture, "5").status == 400)
    #expect(await fixture.request("GET", "/v6/webhooks", role: .push).status == 403)
    for number in 0...Webhook.limit {
      let status = await make(fixture, #""device.erase""#).status
      #expect(status == (number < Webhook.limit ? 201 : 409))
    }
  }
}
