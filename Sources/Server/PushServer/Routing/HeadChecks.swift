import PushModel
import PushPayload
import _HTTPServer

/// A check that every request passes before its body is taken.
protocol HeadCheck: Sendable {
  /// Adds to the call what the check finds.
  ///
  /// - Throws: The refusal of the request.
  func check(
    _ call: inout RequestContext, on route: Route, of exchange: inout Exchange, in api: Router
  ) async throws
}

extension Router {
  /// The checks of a request's head, in their order.
  static let headChecks: [any HeadCheck] = [
    TextCheck(), CallerCheck(), RateCheck(), BodyTypeCheck(), QueryCheck(), ClaimCheck(),
  ]
}

/// Refuses texts of the path and the query that no store takes, as if no route had been found.
private struct TextCheck: HeadCheck {
  func check(
    _ call: inout RequestContext, on route: Route, of exchange: inout Exchange, in api: Router
  ) throws(RequestError) {
    let values = call.parameters.values
    guard values.allSatisfy({ $0.unicodeScalars.count <= 255 }) else {
      throw RequestError(.invalid, "a segment of the path is longer than 255 characters")
    }
    try refuseZero(in: values, of: "the path")
    try refuseZero(in: exchange.head.query.flatMap { [$0.name, $0.value] }, of: "the query")
    exchange.route = route.path
  }

  private func refuseZero(
    in texts: some Sequence<String>, of what: String
  ) throws(RequestError) {
    guard !texts.contains(where: CallerText.hasZero) else {
      throw RequestError(.invalid, "\(what) \(CallerText.zeroAdvice)")
    }
  }
}

/// Finds the key of a request, begins the request's span, and refuses a key that may not call the route.
private struct CallerCheck: HeadCheck {
  func check(
    _ call: inout RequestContext, on route: Route, of exchange: inout Exchange, in api: Router
  ) async throws {
    let start = api.tracer?.now()
    exchange.key = try await api.identify(call, for: route.access)
    exchange.span = start.flatMap { api.tracer?.begin(at: $0, in: caller(of: exchange)) }
    call.span = exchange.span
    guard let key = exchange.key else { return }
    try await api.authorize(key, call, for: route.access)
    call.key = key
  }

  /// The trace of the caller; a device key is public, so its holder does not decide what is recorded.
  private func caller(of exchange: Exchange) -> TraceContext? {
    guard let key = exchange.key, key.role != .device,
      let text = exchange.head.header("traceparent")
    else { return nil }
    return TraceContext(traceparent: text)
  }
}

/// Counts a request against the limits of its address and its key.
private struct RateCheck: HeadCheck {
  func check(
    _ call: inout RequestContext, on route: Route, of exchange: inout Exchange, in api: Router
  ) throws(RequestError) {
    if let key = call.key { try api.limit(key, exchange.head.remoteAddress) }
  }
}

/// Refuses a body whose media type the route does not take.
private struct BodyTypeCheck: HeadCheck {
  func check(
    _ call: inout RequestContext, on route: Route, of exchange: inout Exchange, in api: Router
  ) throws(RequestError) {
    guard !route.bodies.isEmpty, let given = exchange.head.mediaType else { return }
    guard route.bodies.contains(given) else {
      throw RequestError(
        .unsupportedType,
        "Content-Type must be \(route.bodies.joined(separator: " or ")), not \(given.prefix(64))")
    }
  }
}

/// Refuses a parameter of the query that the operation does not have, or that is repeated.
private struct QueryCheck: HeadCheck {
  func check(
    _ call: inout RequestContext, on route: Route, of exchange: inout Exchange, in api: Router
  ) throws(RequestError) {
    guard let names = route.queryNames else { return }
    var seen: Set<String> = []
    for (name, _) in exchange.head.query {
      guard names.contains(name) else {
        let shown = name.prefix(NearestName.limit)
        throw .unknown("the query's parameter \(shown)", name, knows: names)
      }
      guard seen.insert(name).inserted else {
        throw RequestError(.invalid, "the query's parameter \(name) is repeated")
      }
    }
  }
}

/// Checks that a device key acts for devices that it may act for, if the head names them.
private struct ClaimCheck: HeadCheck {
  func check(
    _ call: inout RequestContext, on route: Route, of exchange: inout Exchange, in api: Router
  ) async throws {
    call.members = route.members
    if !route.namesDevicesInBody { call.claim = try await api.claim(of: &call, on: route) }
  }
}
