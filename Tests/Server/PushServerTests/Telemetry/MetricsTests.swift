import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("GET /metrics")
struct MetricsTests {
  @Test("counts requests by route")
  func page() async throws {
    let fixture = try await Fixture()
    try await fixture.register("phone-1")
    for _ in 0..<2 { _ = await fixture.request("GET", "/v6/devices/phone-1") }
    _ = await fixture.request("GET", "/v6/devices/none")
    let answer = await fixture.request("GET", "/metrics", role: .metrics)
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    let route = #"route="/v6/devices/{device_id}""#
    for line in [
      #"martlet_build_info{version="0"} 1"#, "martlet_queue_oldest_wait_seconds 0.0",
      "martlet_http_requests_total{method=\"GET\",\(route),status=\"200\"} 2",
      "martlet_http_requests_total{method=\"GET\",\(route),status=\"404\"} 1",
      "martlet_http_request_duration_seconds_count{\(route)} 3",
    ] {
      #expect(answer.text.split(separator: "\n").contains(Substring(line)), "\(line)")
    }
  }

  @Test("methods that nobody knows are counted together")
  func methods() async throws {
    let fixture = try await Fixture()
    for number in 0..<50 { _ = await fixture.request("M\(number)", "/healthz") }
    let text = await fixture.request("GET", "/metrics", role: .server).text
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("martlet_http_requests_total{") }
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("martlet_http_requests_total{method=\"other\",") == true)
    #expect(lines.first?.hasSuffix(" 50") == true)
  }

  @Test("the age of the oldest due batch is a metric")
  func oldest() async throws {
    let fixture = try await Fixture()
    try await fixture.register("phone-1")
    #expect(await fixture.send(["alert": "Hi"]).status == 201)
    fixture.clock.advance(by: .seconds(90))
    let answer = await fixture.request("GET", "/metrics", role: .server)
    #expect(answer.text.contains("\nmartlet_queue_oldest_wait_seconds 90.0\n"))
  }

  @Test("a histogram's buckets are cumulative")
  func histogram() {
    var histogram = Histogram(bounds: [0.1, 1])
    for milliseconds in [50, 100, 101, 5000] { histogram.add(.milliseconds(milliseconds)) }
    var text = PrometheusText()
    text.family("x", .histogram, help: "X.")
    text.histogram("x", histogram, labels: ["name": "a\"b\\c\nd"])
    let label = #"name="a\"b\\c\nd""#
    #expect(
      text.text == """
        # HELP x X.
        # TYPE x histogram
        x_bucket{\(label),le="0.1"} 2
        x_bucket{\(label),le="1.0"} 3
        x_bucket{\(label),le="+Inf"} 4
        x_sum{\(label)} 5.251
        x_count{\(label)} 4

        """)
  }

  @Test(
    "an answer has the caller's request id, or a new one where that is not valid",
    arguments: [
      ("abc-1_Z", true), ("", false), ("a b", false), (String(repeating: "a", count: 65), false),
    ])
  func requestID(id: String, isTaken: Bool) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "GET", "/healthz", role: nil, headers: [("X-Request-Id", id)])
    let given = try #require(answer.headers["X-Request-Id"])
    #expect((given == id) == isTaken && !given.isEmpty)
  }
}
