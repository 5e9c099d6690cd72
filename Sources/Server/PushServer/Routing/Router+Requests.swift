import Foundation
import PushModel
import PushPayload
package import _HTTPServer

extension Router {
  /// Answers one request; an error becomes an answer.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    switch await admit(request) {
    case .handle(let handler): await handler(request)
    case .refuse(let response): response
    }
  }

  /// Finds a request's route and makes the checks for which the head is enough.
  ///
  /// - Returns: The refusal, or the handler to call when the body has arrived.
  package func admit(_ head: HTTPRequest) async -> HTTPServer.Admission {
    let start = ContinuousClock.now
    let deadline = StoreDeadline.current ?? .at(start + StoreDeadline.limit)
    let admission = await StoreDeadline.$current.withValue(deadline) { await judge(head) }
    guard case .handle(let handler) = admission else { return admission }
    // The wait for the client's body does not count against the deadline.
    let left = max(.zero, StoreDeadline.limit - (ContinuousClock.now - start))
    return .handle { request in
      await StoreDeadline.$current.withValue(
        StoreDeadline.current ?? .at(ContinuousClock.now + left)
      ) {
        await handler(request)
      }
    }
  }

  private func judge(_ head: HTTPRequest) async -> HTTPServer.Admission {
    var exchange = Exchange(head)
    do {
      let (route, parameters, methods) = try self.route(for: head)
      exchange.otherMethods = methods
      let call = RequestContext(request: head, parameters: parameters)
      try call.checkTexts()
      exchange.route = route.path
      return try await admit(call, to: route, &exchange)
    } catch {
      return .refuse(finish(response(to: error, of: exchange), of: exchange))
    }
  }

  /// Makes the checks of a request's head that its route asks for.
  private func admit(
    _ call: RequestContext, to route: Route, _ exchange: inout Exchange
  ) async throws -> HTTPServer.Admission {
    var call = call
    let start = tracer?.now()
    switch route.answerer {
    case .open(let handler):
      call.span = beginSpan(of: &exchange, at: start)
      try route.check(call.request)
      return handle(exchange, on: route) { [call] request in
        try await handler(call.arrived(request), self).validated(for: request)
      }
    case .page(let handler, let admit):
      call.span = beginSpan(of: &exchange, at: start)
      try route.check(call.request)
      if let refusal = try await admit?(call, self) {
        return .refuse(finish(refusal, of: exchange))
      }
      return handle(exchange, on: route) { [call] request in
        try await handler(call.arrived(request), self).compressed(for: request)
      }
    case .keyed(let access, let handler):
      let key = try await identify(call)
      exchange.key = key
      call.span = beginSpan(of: &exchange, at: start)
      var keyed = KeyedRequest(context: call, key: key, members: route.members)
      try await authorize(keyed, for: access)
      try limit(key, call.request.remoteAddress)
      await recordUse(of: key, from: call.request.remoteAddress)
      try route.check(call.request)
      if !route.namesDevicesInBody { keyed.claim = try await claim(of: &keyed, on: route) }
      return handle(exchange, on: route) { [keyed] request in
        var keyed = keyed
        keyed.context = keyed.context.arrived(request)
        try await self.authorizeBody(of: keyed)
        if route.namesDevicesInBody { keyed.claim = try await self.claim(of: &keyed, on: route) }
        let answer = try await handler(keyed, self)
        return await self.addUnreadCount(to: answer.validated(for: request), keyed)
      }
    }
  }

  /// Begins the span of a request, in the trace of its caller.
  ///
  /// A device key is public, so its holder does not decide what is recorded.
  private func beginSpan(of exchange: inout Exchange, at start: UInt64?) -> OpenSpan? {
    let isTrusted = exchange.key.map { $0.role != .device } ?? false
    let caller = isTrusted ? exchange.head.header("traceparent") : nil
    exchange.span = start.flatMap {
      tracer?.begin(at: $0, in: caller.flatMap(TraceContext.init(traceparent:)))
    }
    return exchange.span
  }

  /// Admits a request, which is answered when its body has arrived.
  private func handle(
    _ exchange: Exchange, on route: Route,
    answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> HTTPServer.Admission {
    .handle { request in
      do {
        let response =
          route.waitsForOthers
          ? try await StoreDeadline.perCall { try await answer(request) }
          : try await answer(request)
        return self.finish(response, of: exchange)
      } catch {
        return self.finish(self.response(to: error, of: exchange), of: exchange)
      }
    }
  }

  private func response(to error: any Error, of exchange: Exchange) -> HTTPResponse {
    let source = "\(exchange.head.method) \(exchange.route)"
    switch error {
    case var error as RequestError:
      // GET /audiences/count asks for an audience with the id "count".
      if error.code == .notFound, let methods = exchange.otherMethods {
        error.message += "; this path takes \(methods)"
      }
      guard exchange.takesPage, exchange.route == "none" else { return error.response }
      return unknownPage(error.message, error.status)
    case let error as WrongMethod:
      guard exchange.takesPage else { return error.response }
      var page = unknownPage(error.message, WrongMethod.status)
      page.headers.append((name: "Allow", value: error.allowed))
      return page
    case let error as StoreError:
      var refusal = RequestError(error)
      if refusal.status >= 500 {
        log(LogLine("\(source): \(error.message)", request: exchange.id))
      }
      // A device key is in every copy of the app, so its holder must not learn about the database.
      if error.code == .damaged, exchange.key?.role == .device {
        refusal.message =
          "a stored value is not understood; the server's log names it with the request \(exchange.id)"
      }
      return refusal.response
    default:
      log(LogLine("\(source): \(error)", request: exchange.id))
      return RequestError(.fault, "internal error").response
    }
  }

  /// Finds a request's route, and the values of the names in its path.
  ///
  /// `otherMethods` are those of a route that names more of the path literally, if it does not take the
  /// request's method.
  private func route(
    for request: HTTPRequest
  ) throws -> (Route, [String: String], otherMethods: String?) {
    let parts = Array(request.path.utf8).split(separator: UInt8(ascii: "/"))
    let segments = try parts.map { bytes throws(RequestError) in
      let segment = String(decoding: bytes, as: UTF8.self)
      guard bytes.contains(UInt8(ascii: "%")) else { return segment }
      guard let decoded = segment.removingPercentEncoding else {
        throw RequestError(
          .malformed, "the path has escapes that are not UTF-8; write a percent sign as %25")
      }
      return decoded
    }
    let method = request.method == "HEAD" ? "GET" : request.method
    let routes = table.routes
    let matches = table.routes(at: segments)
    // A literal segment wins over a name: `/devices/import` is not the device "import".
    let fewest = matches.map { routes[$0].nameCount }.min()
    let best = matches.filter { routes[$0].nameCount == fewest }
    guard !best.isEmpty else { throw RequestError(.notFound, "there is nothing at this path") }
    let allowed = { Set(best.map { routes[$0].method }).sorted().joined(separator: ", ") }
    guard let match = (best + matches).first(where: { routes[$0].method == method }) else {
      throw WrongMethod(allowed: allowed())
    }
    return (
      routes[match], routes[match].values(in: segments),
      best.contains(match) ? nil : allowed()
    )
  }
}
