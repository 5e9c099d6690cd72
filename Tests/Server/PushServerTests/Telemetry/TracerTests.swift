import APNs
import Foundation
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing
import _Curl
import _HTTPServer

@testable import PushServer

@Suite("Traces", .timeLimit(.minutes(5)))
struct TracerTests {
  private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  private static let span = Span(
    name: "x", kind: .internal, context: TraceContext(traceID: "a", spanID: "b"), start: 1, end: 2)

  /// Random numbers that are 1, 2, 3 and so on, and a clock that moves a microsecond with each reading.
  private static func tracer(rate: Double = 1) -> Tracer {
    let numbers = Mutex<UInt64>(0)
    let time = Mutex<UInt64>(1_700_000_000_000_000_000)
    return Tracer(
      rate: rate,
      random: {
        numbers.withLock { number in
          number += 1
          return number
        }
      },
      now: {
        time.withLock { time in
          time += 1000
          return time
        }
      })
  }

  private static func router(_ fixture: Fixture, _ tracer: Tracer) -> Router {
    Router(
      Actions(
        store: fixture.store, secretKey: fixture.secretKey, clock: fixture.clock.serverClock,
        tracer: tracer))
  }

  @Test("a send is one trace from the request to the outcomes, in the caller's trace")
  func wholeWay() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    try await fixture.register("b")
    let tracer = Self.tracer(rate: 0)
    let answer = await fixture.request(
      "POST", "/v6/notifications",
      body: #"{"notification":{"to":"*","payload":{"alert":"secret words"}}}"#,
      headers: [("Content-Type", "application/json"), ("traceparent", Self.parent)],
      to: Self.router(fixture, tracer))
    #expect(answer.status == 201)
    let id = answer.json["notification"]?["id"]?.string ?? ""
    // Another node, with a tracer of its own, goes on with the trace.
    let other = Self.tracer(rate: 0)
    let dispatcher = Dispatcher(
      store: fixture.store, sender: fixture.apple, clock: fixture.clock.serverClock, workers: 1,
      tracer: other)
    _ = await dispatcher.sendDueBatches()

    let request = tracer.take(atMost: 10)
    let delivery = other.take(atMost: 10)
    #expect(request.map(\.name) == ["store the send", "POST /v6/notifications"])
    #expect(
      delivery.map(\.name) == ["compose", "send to APNs", "store the outcomes", "deliver a batch"])
    let all = request + delivery
    #expect(Set(all.map(\.context.traceID)) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
    let root = try #require(request.last)
    #expect(root.parent == "00f067aa0ba902b7" && root.kind == .server)
    #expect(root.attributes["http.response.status_code"] == .number(201))
    let batch = try #require(delivery.last)
    #expect(request[0].parent == root.context.spanID && batch.parent == root.context.spanID)
    #expect(delivery.dropLast().allSatisfy { $0.parent == batch.context.spanID })
    #expect(delivery[1].attributes["martlet.sent"] == .number(2))
    #expect(batch.attributes["martlet.notification.id"] == .text(id))
    #expect(all.allSatisfy { $0.start < $0.end && $0.failure == nil })
    #expect(delivery[0].end == delivery[1].start && batch.end == delivery[2].end)
    // Nothing of the message or of a device is in it.
    let text = SpanDocument.json(all, version: "1", instance: "n").text
    #expect(!text.contains("secret words") && !text.contains(Fixture.token("a")))
  }

  @Test("a batch without an answer of Apple is a failed span")
  func failure() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    fixture.apple.answer { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    let tracer = Self.tracer()
    let dispatcher = Dispatcher(
      store: fixture.store, sender: fixture.apple, clock: fixture.clock.serverClock, workers: 1,
      tracer: tracer)
    _ = await fixture.request(
      "POST", "/v6/notifications",
      body: #"{"notification":{"to":"*","payload":{"alert":"Hi"}}}"#,
      to: Self.router(fixture, tracer))
    _ = await dispatcher.sendDueBatches()
    let span = tracer.take(atMost: 10).first { $0.name == "send to APNs" }
    #expect(span?.failure == "1 without an answer")
    #expect(span?.attributes["martlet.retried"] == .number(1))
  }

  struct Caller: Sendable, CustomTestStringConvertible {
    var role = APIKey.Role.push
    var traceparent: String
    var rate: Double
    var isRecorded: Bool
    var testDescription: String { "\(role) \(traceparent) at \(rate)" }
  }

  @Test(
    "a traceparent decides whether its request is recorded, unless a device key sends it",
    arguments: [
      Caller(traceparent: parent, rate: 0, isRecorded: true),
      Caller(traceparent: String(parent.dropLast()) + "0", rate: 1, isRecorded: false),
      Caller(traceparent: "invalid", rate: 1, isRecorded: true),
      Caller(traceparent: "invalid", rate: 0, isRecorded: false),
      Caller(role: .device, traceparent: parent, rate: 0, isRecorded: false),
      Caller(role: .device, traceparent: parent, rate: 1, isRecorded: true),
    ])
  func caller(_ caller: Caller) async throws {
    let fixture = try await Fixture()
    let tracer = Self.tracer(rate: caller.rate)
    let answer = await fixture.request(
      "PUT", "/v6/devices/d", role: caller.role, body: #"{"device":{"locale":"de"}}"#,
      headers: [("Content-Type", "application/json"), ("traceparent", caller.traceparent)],
      to: Self.router(fixture, tracer))
    #expect(answer.status == 200)
    let spans = tracer.take(atMost: 10)
    #expect(spans.isEmpty != caller.isRecorded)
    if caller.role == .device {
      #expect(spans.allSatisfy { $0.parent == nil && !Self.parent.contains($0.context.traceID) })
    }
  }

  @Test("the share of recorded requests is the rate", arguments: [0, 0.25, 1])
  func rate(_ rate: Double) {
    // Numbers that are spread evenly over all of UInt64.
    let number = Mutex<UInt64>(0)
    let tracer = Tracer(
      rate: rate,
      random: {
        number.withLock { number in
          number &+= 0x9E37_79B9_7F4A_7C15
          return number
        }
      }, now: { 1 })
    let begun = (0..<4000).count { _ in tracer.begin(at: 1, in: nil) != nil }
    #expect(abs(Double(begun) / 4000 - rate) < 0.1)
    if rate == 0 || rate == 1 { #expect(begun == Int(rate) * 4000) }
  }

  @Test("at most a fixed number of spans waits, and those past it are counted")
  func limit() {
    let tracer = Self.tracer()
    for _ in 0..<Tracer.limit { tracer.record(Self.span) }
    #expect(tracer.counts == (0, 0))
    tracer.record(Self.span)
    #expect(tracer.counts == (0, 1))
    #expect(tracer.take(atMost: Tracer.limit + 1).count == Tracer.limit)
  }

  /// A collector that answers as a test says; `nil` is no answer, and in the end it answers 200.
  private final class Collector: HTTPClient {
    let statuses: Mutex<[Int?]>
    let urls = Mutex<[String]>([])
    let lines = Mutex<[String]>([])

    init(_ statuses: [Int?]) { self.statuses = Mutex(statuses) }

    func exporter(_ tracer: Tracer, endpoint: String = "http://collector:4318") -> SpanExporter {
      SpanExporter(
        tracer, endpoint: endpoint, version: "1.2.3", instance: "node",
        clock: ServerClock(now: { Timestamp(milliseconds: 0) }, sleep: { _ in }),
        http: self, log: { line in self.lines.withLock { $0.append(line) } })
    }

    func answer(to request: OutgoingRequest) async throws -> OutgoingRequest.Answer {
      urls.withLock { $0.append(request.url) }
      let status = statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
      guard let status else { throw CancellationError() }
      return OutgoingRequest.Answer(status: status)
    }
  }

  @Test(
    "spans are posted in batches to the collector's path for traces",
    arguments: ["http://collector:4318", "http://collector:4318/"])
  func batches(endpoint: String) async {
    let tracer = Self.tracer()
    for _ in 0...SpanExporter.batchSize { tracer.record(Self.span) }
    let collector = Collector([])
    await collector.exporter(tracer, endpoint: endpoint).finish()
    #expect(
      collector.urls.withLock(\.self)
        == Array(repeating: "http://collector:4318/v1/traces", count: 2))
    #expect(tracer.counts == (SpanExporter.batchSize + 1, 0))
  }

  struct Answers: Sendable {
    var statuses: [Int?]
    var posts: Int
    var isExported: Bool
  }

  @Test(
    "a collector that is busy is asked again, up to three times; one that refuses is not",
    arguments: [
      Answers(statuses: [200], posts: 1, isExported: true),
      Answers(statuses: [503, 200], posts: 2, isExported: true),
      Answers(statuses: [nil, 429, 202], posts: 3, isExported: true),
      Answers(statuses: [502, 504, 503], posts: 3, isExported: false),
      Answers(statuses: [nil, nil, nil], posts: 3, isExported: false),
      Answers(statuses: [400], posts: 1, isExported: false),
      Answers(statuses: [302], posts: 1, isExported: false),
    ])
  func repeats(_ answers: Answers) async {
    let tracer = Self.tracer()
    tracer.record(Self.span)
    let collector = Collector(answers.statuses)
    await collector.exporter(tracer).finish()
    #expect(collector.urls.withLock(\.count) == answers.posts)
    #expect(tracer.counts == (answers.isExported ? (1, 0) : (0, 1)))
    #expect(collector.lines.withLock(\.isEmpty) == answers.isExported)
  }

  @Test("the document is read by OpenTelemetry's own definition of the protocol")
  func document() async throws {
    let context = try #require(TraceContext(traceparent: Self.parent))
    let spans = [
      Span(
        name: "POST /v6/notifications", kind: .server, context: context, parent: "b7ad6b7169203331",
        start: 1_700_000_000_123_456_789, end: 1_700_000_000_223_456_789,
        attributes: ["http.route": .text("/v6"), "martlet.devices": .number(7)],
        failure: "answered 503"),
      Span(name: "compose", kind: .internal, context: context, start: 1, end: 2),
    ]
    let folder = TemporaryFolder()
    let file = try folder.write(
      SpanDocument.json(spans, version: "1.2.3", instance: "node").text, to: "spans.json")
    let root = Repository.root
    let python = root.appending(path: ".build/python/bin/python").path
    let script = root.appending(path: "Tests/Scripts/read_spans.py").path
    let read = await runProgram("/bin/sh", ["-c", "exec \(python) \(script) \(file) 2>&1"])
    #expect(
      read.output.split(separator: "\n") == [
        "service.instance.id=node service.name=martlet service.version=1.2.3",
        """
        POST /v6/notifications kind=2 trace=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7 \
        parent=b7ad6b7169203331 1700000000123456789-1700000000223456789 http.route=/v6 \
        martlet.devices=7 status=2 answered 503
        """,
        """
        compose kind=1 trace=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7 parent= 1-2 \
        status=0
        """,
      ])
  }

  @Test("a server posts the trace of a send to the collector, at the latest when it stops")
  func server() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    let bodies = Mutex<[JSONValue]>([])
    let collector = try HTTPServer { request in
      #expect(request.method == "POST" && request.path == "/v1/traces")
      #expect(request.header("Content-Type") == "application/json")
      if let body = try? JSONValue(parsing: request.body) { bodies.withLock { $0.append(body) } }
      return HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: [])
    }
    var configuration = PushServer.Configuration()
    configuration.traceEndpoint = "http://127.0.0.1:\(collector.port)"
    configuration.traceSample = 1
    let lines = Mutex<[RequestLine]>([])
    let server = try PushServer.started(
      configuration, store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple,
      requests: { line in lines.withLock { $0.append(line) } }
    ) { _ in }
    let sent = try await curl(
      "POST", "http://127.0.0.1:\(server.port)/v6/notifications", key: fixture.keys[.push],
      body: #"{"notification":{"to":"*","payload":{"alert":"Hi"}}}"#)
    #expect(sent.status == 201)
    try await fixture.completion(of: sent.json["notification"]?["id"]?.string ?? "")
    await server.stop()
    await collector.stop()
    let trace = try #require(lines.withLock { $0.first { $0.method == "POST" }?.trace })
    let spans = bodies.withLock(\.self).flatMap { body in
      let resource = body["resourceSpans"]?.array?.first
      return resource?["scopeSpans"]?.array?.first?["spans"]?.array ?? []
    }
    let names = spans.filter { $0["traceId"]?.string == trace }.compactMap { $0["name"]?.string }
    #expect(
      names.sorted() == [
        "POST /v6/notifications", "compose", "deliver a batch", "send to APNs",
        "store the outcomes",
        "store the send",
      ])
  }
}
