import APNs
import Foundation
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _HTTPServer
import _SQLite

@testable import PushServer

@Suite("The page of metrics", .timeLimit(.minutes(10)))
struct MetricsPageTests {
  private static func line(_ name: String, in text: String) -> Substring? {
    text.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ").last
  }

  private static func text(of fixture: Fixture) async -> String {
    await fixture.request("GET", "/metrics", role: .metrics).text
  }

  @Test("promtool finds nothing wrong with a page that has every metric")
  func conventions() async throws {
    let promtool = try #require(InstalledProgram.promtool, "promtool is not installed")
    let fixture = try await Fixture()
    let page = Self.largePage(apps: 3, fixture)
    let file = try fixture.directory.write(page.text, to: "page")
    let check = await runProgram(
      "/bin/sh", ["-c", "exec \(promtool) check metrics < \(file) 2>&1"])
    #expect(check.status == 0 && check.output.isEmpty, "\(check.output)")
  }

  @Test("the page of 1,000 apps is below 1 MB, with four answers of Apple for each and every route")
  func size() async throws {
    let fixture = try await Fixture()
    let page = Self.largePage(apps: 1000, fixture)
    #expect(page.bytes.count < 1_000_000)
    #expect(page.text.split(separator: "\n").count { $0.hasPrefix("martlet_pushes_total") } == 4000)
  }

  /// A page of a server on which everything has happened once.
  private static func largePage(apps: Int, _ fixture: Fixture) -> PrometheusText {
    let metrics = fixture.metrics
    let answers: [APNsOutcome] = [
      APNsOutcome(kind: .answered, status: 200, apnsID: ""),
      APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: ""),
      APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: ""),
      APNsOutcome(kind: .neverSent, apnsID: ""),
    ]
    var devices: [String: Int] = [:]
    for number in 0..<apps {
      let counters = metrics.counters()
      devices[Identifiers.makeObjectID()] = 1_000_000 + number
      for answer in answers {
        counters.ended(
          answer, topic: "com.example.company.application\(number)", connection: nil,
          duration: .milliseconds(40))
      }
    }
    for route in Router.routes + Dashboard.all {
      for status in [200, 401, 422, 503] {
        metrics.answered(
          route.method, route: route.path, status: status, in: .milliseconds(number(status)))
      }
    }
    for stage in ServerMetrics.Stage.allCases { metrics.passed(stage, in: .milliseconds(3)) }
    return MetricsPage(
      version: "1.0.0",
      queue: .init(
        oldestWait: .seconds(3), devices: AppDevices(counts: devices, limit: 10_000_000)),
      indexLag: .seconds(1), process: .current()
    ).text(metrics)
  }

  private static func number(_ status: Int) -> Int { status / 100 }

  @Test("the time of a send runs from its acceptance to its first push and to its last outcome")
  func times() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    try await fixture.register("b")
    let busy = Fixture.token("b")
    fixture.apple.answer {
      APNsOutcome(kind: .answered, status: $0.deviceToken == busy ? 500 : 200, apnsID: $0.id)
    }
    #expect(await fixture.send(["alert": "Hi"]).status == 201)
    fixture.clock.advance(by: .seconds(3))
    let dispatcher = fixture.dispatcher()
    let wait = try #require(await dispatcher.sendDueBatches())
    #expect(wait == .seconds(900))
    let first = "martlet_send_time_to_first_push_seconds"
    let last = "martlet_send_time_to_last_push_seconds"
    var text = await Self.text(of: fixture)
    #expect(Self.line(first + "_sum", in: text) == "3.0")
    #expect(Self.line(last + "_count", in: text) == "0")

    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    fixture.clock.advance(by: wait)
    _ = await dispatcher.sendDueBatches()
    text = await Self.text(of: fixture)
    #expect(Self.line(first + "_count", in: text) == "1")
    #expect(Self.line(last + "_sum", in: text) == "903.0")
    #expect(Self.line(last + "_count", in: text) == "1")
  }

  @Test("a scheduled send counts from its time; a throttled one has no last push")
  func scheduled() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    let due = fixture.clock.now + .seconds(60)
    let notification = #""to":"*","payload":{"alert":"Hi"}"#
    for option in [#""scheduled_at":"\#(due.iso8601)""#, #""throttle_per_second":5"#] {
      let answer = await fixture.request(
        "POST", "/v6/notifications", body: #"{"notification":{\#(notification),\#(option)}}"#)
      #expect(answer.status == 201, "\(answer.text)")
    }
    let dispatcher = fixture.dispatcher()
    _ = await dispatcher.sendDueBatches()
    fixture.clock.advance(by: .seconds(62))
    _ = await dispatcher.sendDueBatches()
    let text = await Self.text(of: fixture)
    #expect(Self.line("martlet_send_time_to_first_push_seconds_count", in: text) == "2")
    #expect(Self.line("martlet_send_time_to_first_push_seconds_sum", in: text) == "2.0")
    #expect(Self.line("martlet_send_time_to_last_push_seconds_count", in: text) == "1")
    #expect(Self.line("martlet_send_time_to_last_push_seconds_sum", in: text) == "2.0")
  }

  @Test("devices without a push are counted by a reason of a fixed list")
  func dropped() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    #expect(await fixture.send(["alert": "Hi"]).status == 201)
    var patch = DevicePatch()
    patch.token = .set(nil)
    _ = try await fixture.store.update(
      device: "a", app: fixture.app.id, patch, at: fixture.clock.now)
    _ = await fixture.dispatcher().sendDueBatches()
    func outcome(_ result: Outcome.Result, _ status: Int?, _ reason: String?) -> Outcome {
      Outcome(device: 1, result: result, status: status, reason: reason, time: fixture.clock.now)
    }
    fixture.metrics.finished([
      outcome(.sent, 200, nil), outcome(.rejected, 400, "BadTopic"),
      outcome(.rejected, nil, "the topic \"x y\" is of no app"), outcome(.rejected, nil, nil),
    ])
    let text = await Self.text(of: fixture)
    let name = "martlet_devices_dropped_total"
    #expect(Self.line(name + #"{reason="NoToken"}"#, in: text) == "1")
    #expect(Self.line(name + #"{reason="InvalidPush"}"#, in: text) == "2")
    #expect(Self.line(name + #"{reason="PayloadTooLarge"}"#, in: text) == "0")
    #expect(!text.contains("BadTopic") && !text.contains("x y"))
  }

  @Test("a database that takes no writes is a metric, and the page has the other metrics")
  func storeDown() async throws {
    let fixture = try await Fixture()
    let metrics = ServerMetrics(store: StoreTimings())
    let store = try SQLitePushStore(
      path: fixture.store.path, busyTimeout: .zero, timings: metrics.store)
    let router = Router(Actions(store: store, secretKey: fixture.secretKey, metrics: metrics))
    let other = try SQLiteConnection(path: store.path, busyTimeout: .zero)
    try other.execute("BEGIN IMMEDIATE")
    var text = String(decoding: await router.metricsPage().body.bytes ?? [], as: UTF8.self)
    #expect(Self.line("martlet_store_up", in: text) == "0")
    #expect(!text.contains("martlet_queue_oldest_wait_seconds"))
    let failures = #"martlet_store_failures_total{operation="write"}"#
    #expect(Self.line(failures, in: text) == "1")
    #expect(Self.line(#"martlet_store_failures_total{operation="read"}"#, in: text) == "0")
    try other.execute("ROLLBACK")
    text = String(decoding: await router.metricsPage().body.bytes ?? [], as: UTF8.self)
    #expect(Self.line("martlet_store_up", in: text) == "1")
    #expect(Self.line("martlet_queue_oldest_wait_seconds", in: text) == "0.0")
    #expect(Self.line(failures, in: text) == "1")
    let writes = "martlet_store_operation_duration_seconds_count{operation=\"write\"}"
    #expect(Self.line(writes, in: text) == "2")
  }

  @Test("the lag of the index is the time since the store was last read")
  func lag() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    let audiences = Audiences(fixture.store)
    #expect(audiences.lag(at: fixture.clock.now) == .zero)
    try await audiences.prepare(app: fixture.app.id)
    let follow = Task { await audiences.follow(clock: fixture.clock.serverClock) }
    // The second sleeper begins when the first round has ended.
    try await until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: .seconds(1))
    try await until { fixture.clock.sleeperCount == 1 }
    #expect(audiences.lag(at: fixture.clock.now + .seconds(7)) == .seconds(7))
    follow.cancel()
    await follow.value
  }

  @Test("a metrics key reads the metrics, and nothing else")
  func role() async throws {
    let fixture = try await Fixture()
    #expect(await fixture.request("GET", "/metrics", role: .metrics).status == 200)
    for path in ["/v6/apps", "/v6/notifications", "/v6/stats/opens", "/v6/audit"] {
      #expect(await fixture.request("GET", path, role: .metrics).status == 403, "\(path)")
    }
  }

  @Test("the address for metrics has them without a key, and nothing else")
  func listener() async throws {
    let fixture = try await Fixture()
    var configuration = PushServer.Configuration()
    configuration.metricsAddress = ("127.0.0.1", 0)
    let server = try PushServer.started(
      configuration, store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple,
      metrics: fixture.metrics
    ) { _ in }
    let port = try #require(server.metricsPort)
    let url = "http://127.0.0.1:\(port)"
    let page = try await curl("GET", url + "/metrics", key: nil)
    #expect(page.status == 200)
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(text.contains("\nmartlet_store_up 1\n") && text.contains("\nprocess_open_fds "))
    for path in ["/", "/healthz", "/v6/apps", "/metrics/x"] {
      #expect(try await curl("GET", url + path, key: fixture.keys[.server]).status == 404)
    }
    #expect(try await curl("POST", url + "/metrics", key: nil).status == 405)
    #expect(try await curl("POST", url + "/metrics", key: nil, body: "x").status == 413)
    let main = "http://127.0.0.1:\(server.port)/metrics"
    #expect(try await curl("GET", main, key: nil).status == 401)
    await server.stop()
  }
}
