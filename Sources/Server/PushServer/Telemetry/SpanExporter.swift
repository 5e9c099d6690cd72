import PushPayload
import _Curl

/// Sends a tracer's spans to a collector, as OTLP over HTTP in JSON.
///
/// If a collector refuses or does not answer, its spans are lost and the log gets one line. Requests and pushes never
/// wait for it.
struct SpanExporter: Sendable {
  static let interval = Duration.seconds(5)
  static let batchSize = 512
  /// The most attempts for a batch that the collector asks to repeat.
  static let attempts = 3

  let tracer: Tracer
  /// The URL for spans, which is the collector's address with `/v1/traces`.
  let url: String
  let version: String
  let instance: String
  let clock: ServerClock
  let http: any HTTPClient
  let log: @Sendable (String) -> Void

  /// Makes an exporter to a collector with a base address such as `http://127.0.0.1:4318`.
  init(
    _ tracer: Tracer, endpoint: String, version: String, instance: String, clock: ServerClock,
    http: any HTTPClient, log: @escaping @Sendable (String) -> Void
  ) {
    self.tracer = tracer
    url = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/v1/traces"
    self.version = version
    self.instance = instance
    self.clock = clock
    self.http = http
    self.log = log
  }

  /// Exports until the task is cancelled.
  func run() async {
    var isFailing = false
    while (try? await clock.sleep(Self.interval)) != nil { await export(&isFailing) }
  }

  /// Exports the remaining spans when the server stops.
  func finish() async {
    var isFailing = false
    await export(&isFailing)
  }

  /// Exports all waiting spans.
  func export(_ isFailing: inout Bool) async {
    while true {
      let spans = tracer.take(atMost: Self.batchSize)
      guard !spans.isEmpty else { return }
      let failure = await send(spans)
      if let failure {
        tracer.dropped(spans.count)
        if !isFailing { log("traces are dropped: \(url) \(failure); see --otlp-endpoint") }
      } else {
        tracer.exported(spans.count)
      }
      isFailing = failure != nil
    }
  }

  /// - Returns: The reason why the spans were not accepted; `nil` if they were.
  private func send(_ spans: [Span]) async -> String? {
    let body = Array(SpanDocument.json(spans, version: version, instance: instance).serialized())
    // Private addresses are allowed, because the operator configures the collector.
    let request = OutgoingRequest(
      url: url, fields: [("Content-Type", "application/json")], body: body
    ) { _, _ in true }
    var failure = ""
    for attempt in 1...Self.attempts {
      do {
        let status = try await http.answer(to: request).status
        if (200..<300).contains(status) { return nil }
        failure = "answers \(status)"
        guard [429, 502, 503, 504].contains(status) else { return failure }
      } catch {
        failure = "does not answer: \(error)"
      }
      guard attempt < Self.attempts, (try? await clock.sleep(.seconds(attempt))) != nil else {
        return failure
      }
    }
    return failure
  }
}
