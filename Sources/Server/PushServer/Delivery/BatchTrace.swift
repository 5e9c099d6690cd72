import PushModel

/// The spans of one batch, which belong to the trace of the request that made the send.
struct BatchTrace: Sendable {
  private let tracer: Tracer
  private let batch: Batch
  private let span: OpenSpan
  /// The end of the previous stage.
  private var last: UInt64

  /// Returns `nil` if the send's request was not recorded.
  init?(of batch: Batch, _ tracer: Tracer) {
    guard let caller = batch.send.trace.flatMap(TraceContext.init(traceparent:)) else { return nil }
    self.tracer = tracer
    self.batch = batch
    span = tracer.child(of: caller)
    last = span.start
  }

  /// Records a stage that began when the previous one ended.
  mutating func ended(
    _ name: String, _ kind: Span.Kind, attributes: [String: Span.Value] = [:],
    failure: String? = nil
  ) {
    let now = tracer.now()
    tracer.record(
      tracer.child(of: span.context, at: last)
        .ended(name, kind, at: now, attributes: attributes, failure: failure))
    last = now
  }

  /// Records the batch.
  func end() {
    tracer.record(
      span.ended(
        "deliver a batch", .consumer, at: last,
        attributes: [
          "martlet.notification.id": .text(batch.send.id), "martlet.app.id": .text(batch.send.app),
          "martlet.devices": .number(batch.targets.count),
        ]))
  }

  /// The number of devices for each outcome.
  static func attributes(of delivery: Delivery) -> [String: Span.Value] {
    var counts: [String: Int] = ["martlet.retried": delivery.remainingCount]
    for outcome in delivery.outcomes {
      counts["martlet." + outcome.result.rawValue, default: 0] += 1
    }
    return counts.mapValues(Span.Value.number)
  }
}
