import _HTTPServer

/// One request as a handler gets it whose route asks for no key.
struct RequestContext: RequestValues {
  var request: HTTPRequest
  var parameters: [String: String]
  /// The span of the request; `nil` if the request is not traced.
  var span: OpenSpan?

  /// The caller of an action that finds out who it is.
  var visitor: Visitor { Visitor(app: namedApp, address: request.remoteAddress, span: span) }

  /// The same request with its body.
  func arrived(_ request: HTTPRequest) -> RequestContext {
    RequestContext(request: request, parameters: parameters, span: span)
  }

  /// Refuses texts of the path and the query that no store takes, as if no route had been found.
  func checkTexts() throws(RequestError) {
    guard parameters.values.allSatisfy({ $0.unicodeScalars.count <= 255 }) else {
      throw RequestError(.invalid, "a segment of the path is longer than 255 characters")
    }
    try Self.refuseZero(in: parameters.values, of: "the path")
    try Self.refuseZero(in: request.query.flatMap { [$0.name, $0.value] }, of: "the query")
  }

  private static func refuseZero(
    in texts: some Sequence<String>, of what: String
  ) throws(RequestError) {
    guard !texts.contains(where: CallerText.hasZero) else {
      throw RequestError(.invalid, "\(what) \(CallerText.zeroAdvice)")
    }
  }
}
