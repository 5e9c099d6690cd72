import APNs
import APNsSandbox
import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _TLS

@testable import PushServer

@Suite("A real Prometheus", .timeLimit(.minutes(10)))
struct PrometheusTests {
  @Test("scrapes a server during a send and while Apple refuses the key, and alerts")
  func scrape() async throws {
    try #require(InstalledProgram.prometheus != nil, "prometheus is not installed")
    let fixture = try await Fixture()
    for number in 0..<20 { try await fixture.register("phone-\(number)") }
    let rule =
      #"{"after":20,"count":1000,"do":"status","status":403,"reason":"InvalidProviderToken"}"#
    let script = try FaultScript(json: Data(#"{"rules":[\#(rule)]}"#.utf8))
    let apns = try await LocalAPNs(for: fixture.newApp) { $0.script = script }
    let metrics = ServerMetrics(store: StoreTimings())
    let sender = APNsSender(
      endpoints: .init(
        production: apns.endpoint, development: apns.endpoint,
        extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey, metrics: metrics)
    var configuration = PushServer.Configuration()
    configuration.metricsAddress = ("127.0.0.1", 0)
    configuration.version = "1.2.3"
    let server = try PushServer.started(
      configuration, store: fixture.store, secretKey: fixture.secretKey, sender: sender,
      metrics: metrics
    ) { _ in }
    let port = try #require(server.metricsPort)

    let file = MonitoringFilesTests.prometheus + "/prometheus.yml"
    let settings = try String(contentsOfFile: file, encoding: .utf8)
      .replacing("127.0.0.1:9188", with: "127.0.0.1:\(port)").replacing("15s", with: "1s")
    let prometheus = try #require(
      try await PrometheusServer(
        configuration: settings, rules: MonitoringFilesTests.prometheus))
    do {
      try await watch(fixture, server, prometheus)
    } catch {
      await prometheus.stop()
      await server.stop()
      await apns.stop()
      throw error
    }
    // A server that is gone is seen too.
    await server.stop()
    await apns.stop()
    try await until { try await prometheus.query(#"up{job="martlet"}"#).first?.value == 0 }
    await prometheus.stop()
  }

  private func watch(
    _ fixture: Fixture, _ server: PushServer, _ prometheus: PrometheusServer
  ) async throws {
    func value(_ query: String) async throws -> Double? {
      try await prometheus.query(query).first?.value
    }
    func send() async throws -> String {
      let answer = try await curl(
        "POST", "http://127.0.0.1:\(server.port)/v6/notifications", key: fixture.keys[.push],
        body: #"{"notification":{"to":"*","payload":{"alert":"Hi"}}}"#)
      #expect(answer.status == 201)
      return answer.json["notification"]?["id"]?.string ?? ""
    }
    try await until { try await value(#"up{job="martlet"}"#) == 1 }
    // On a busy machine a scrape may come too late, which hides all series until the next one.
    try await until {
      try await prometheus.query("martlet_build_info").first?.labels["version"] == "1.2.3"
    }
    try await until { try await value("scrape_samples_scraped") ?? 0 > 20 }
    // On a busy machine a scrape may come too late, for which an alert is pending, but not yet firing.
    #expect(try await prometheus.query(#"ALERTS{alertstate="firing"}"#).isEmpty)

    let first = try await send()
    try await fixture.completion(of: first)
    try await until {
      try await value(#"sum(martlet_pushes_total{status="200",topic="com.example.weather"})"#) == 20
    }
    try await until { try await value("martlet_send_time_to_last_push_seconds_count") == 1 }
    try await until { try await value("martlet_send_time_to_first_push_seconds_count") == 1 }
    try await until { try await value("martlet_store_up") == 1 }
    try await until { try await value("process_resident_memory_bytes") ?? 0 > 1_000_000 }

    let second = try await send()
    try await until {
      [.paused, .pausing].contains(
        try await fixture.store.send(second, app: fixture.app.id)?.state)
    }
    try await until {
      let alerts = try await prometheus.query(
        #"ALERTS{alertname="MartletKeyRefused",alertstate="firing"}"#)
      guard let alert = alerts.first else { return false }
      #expect(alert.labels["topic"] == "com.example.weather")
      #expect(alert.labels["reason"] == "InvalidProviderToken")
      #expect(alert.labels["severity"] == "critical")
      return true
    }
    let others = #"ALERTS{alertname!="MartletKeyRefused",alertstate="firing"}"#
    #expect(try await prometheus.query(others).isEmpty)
  }
}
