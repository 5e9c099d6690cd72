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
      var call = RequestContext(request: head, parameters: parameters)
      for check in Self.headChecks {
        try await check.check(&call, on: route, of: &exchange, in: self)
      }
      if let refusal = try await route.admit?(call, self) {
        return .refuse(finish(refusal, of: exchange))
      }
      return .handle { [call, exchange] request in
        var call = call
        call.request = request
        do {
          let answer = try await self.answer(to: &call, on: route)
          return self.finish(answer, of: exchange)
        } catch {
          return self.finish(self.response(to: error, of: exchange), of: exchange)
        }
      }
    } catch {
      return .refuse(finish(response(to: error, of: exchange), of: exchange))
    }
  }

  /// Handles a call whose body has arrived.
  private func answer(to call: inout RequestContext, on route: Route) async throws -> HTTPResponse {
    if route.namesDevicesInBody { call.claim = try await claim(of: &call, on: route) }
    let answer = try await route.handler(call, self)
    if case .page = route.access { return answer.compressed(for: call.request) }
    return await addUnreadCount(to: answer.validated(for: call.request), call)
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
