import PushModel
import PushPayload
import _HTTPServer

/// A step that every answer passes, whether the request was handled or refused.
protocol AnswerStep: Sendable {
  func finish(_ answer: inout HTTPResponse, of exchange: Exchange, in router: Router)
}

extension Router {
  /// The steps of an answer, in their order.
  static let answerSteps: [any AnswerStep] = [
    RequestID(), SecurityHeaders(), Metrics(), RequestLog(), RequestSpan(),
  ]

  func finish(_ answer: HTTPResponse, of exchange: Exchange) -> HTTPResponse {
    var answer = answer
    for step in Self.answerSteps { step.finish(&answer, of: exchange, in: self) }
    return answer
  }
}

/// Names the request in its answer, as in every log line about it.
private struct RequestID: AnswerStep {
  func finish(_ answer: inout HTTPResponse, of exchange: Exchange, in router: Router) {
    answer.headers.append((name: "X-Request-Id", value: exchange.id))
  }
}

private struct SecurityHeaders: AnswerStep {
  func finish(_ answer: inout HTTPResponse, of exchange: Exchange, in router: Router) {
    router.site.addSecurityHeaders(to: &answer)
  }
}

private struct Metrics: AnswerStep {
  func finish(_ answer: inout HTTPResponse, of exchange: Exchange, in router: Router) {
    router.metrics.answered(
      exchange.head.method, route: exchange.route, status: answer.status, in: exchange.duration)
  }
}

private struct RequestLog: AnswerStep {
  func finish(_ answer: inout HTTPResponse, of exchange: Exchange, in router: Router) {
    router.requests?(
      RequestLine(
        id: exchange.id, method: exchange.head.method, route: exchange.route,
        status: answer.status, duration: exchange.duration, key: exchange.key?.id,
        address: exchange.head.remoteAddress, trace: exchange.span?.context.traceID))
  }
}

private struct RequestSpan: AnswerStep {
  func finish(_ answer: inout HTTPResponse, of exchange: Exchange, in router: Router) {
    guard let tracer = router.tracer, let span = exchange.span else { return }
    tracer.record(
      span.ended(
        "\(exchange.head.method) \(exchange.route)", .server, at: tracer.now(),
        attributes: [
          "http.request.method": .text(exchange.head.method), "http.route": .text(exchange.route),
          "http.response.status_code": .number(answer.status),
          "martlet.request.id": .text(exchange.id),
        ], failure: answer.status >= 500 ? "answered \(answer.status)" : nil))
  }
}

extension Exchange {
  fileprivate var duration: Duration { ContinuousClock.now - start }
}
