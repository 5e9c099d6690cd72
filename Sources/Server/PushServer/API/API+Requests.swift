import Foundation
import PushPayload
import PushStore
package import _HTTPServer

extension API {
  /// Answers one request; an error becomes an answer.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    await respond(to: request, takesRememberedKey: true)
  }

  private func respond(
    to request: HTTPRequest, takesRememberedKey: Bool
  ) async -> HTTPResponse {
    switch await admit(request, takesRememberedKey: takesRememberedKey) {
    case .handle(let handler): await handler(request)
    case .refuse(let response): response
    }
  }

  /// Finds a request's route and checks its credentials, for which the headers are enough.
  ///
  /// - Returns: The refusal, or the handler to call when the body has arrived.
  package func admit(_ head: HTTPRequest) async -> HTTPServer.Admission {
    await admit(head, takesRememberedKey: true)
  }

  private func admit(
    _ head: HTTPRequest, takesRememberedKey: Bool
  ) async -> HTTPServer.Admission {
    let start = ContinuousClock.now
    let deadline = StoreDeadline.current ?? .at(start + StoreDeadline.limit)
    let admission = await StoreDeadline.$current.withValue(deadline) {
      await judge(head, takesRememberedKey: takesRememberedKey)
    }
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

  /// Finds the route and checks the credentials.
  ///
  /// `takesRememberedKey` says whether the key may come from an earlier request, on a route whose change confirms
  /// it. A refusal then looks up the key, and if the key has changed, the request is made again.
  private func judge(
    _ head: HTTPRequest, takesRememberedKey: Bool
  ) async -> HTTPServer.Admission {
    var record = Record(request: head)
    let start = tracer?.now()
    do {
      let (found, parameters, methods) = try self.route(for: head)
      record.otherMethods = methods
      guard parameters.values.allSatisfy({ $0.unicodeScalars.count <= 255 }) else {
        throw RequestError(.invalid, "a segment of the path is longer than 255 characters")
      }
      try Self.refuseZero(in: parameters.values, of: "the path")
      try Self.refuseZero(in: head.query.flatMap { [$0.name, $0.value] }, of: "the query")
      record.route = found.path
      var call = Call(request: head, parameters: parameters)
      if takesRememberedKey, found.confirmsKey { record.rememberedKey = rememberedKey(of: head) }
      call.rememberedKey = record.rememberedKey
      var key = call.rememberedKey
      if key == nil { key = try await identify(call, for: found.access) }
      record.span = start.flatMap { beginSpan(of: head, key, at: $0) }
      call.span = record.span
      if let key {
        record.key = key.id
        record.role = key.role
        try await authorize(key, call, for: found.access)
        call.key = key
        try limit(key, head.remoteAddress)
      }
      try Self.check(found.bodies, of: head)
      if let names = found.queryNames { try Self.check(head.query, knows: names) }
      call.members = found.members
      if !found.namesDevicesInBody { call.claim = try await claim(of: &call, on: found) }
      if let refusal = try await found.admit?(call, self) {
        return .refuse(finish(refusal, of: record))
      }
      return .handle { [call, record] request in
        var call = call
        call.request = request
        do {
          if found.namesDevicesInBody { call.claim = try await self.claim(of: &call, on: found) }
          var response = try await found.handler(call, self)
          if case .page = found.access {
            response = response.compressed(for: request)
          } else {
            response = response.validated(for: request)
          }
          response = await self.addUnreadCount(to: response, call)
          return self.finish(response, of: record)
        } catch {
          guard let error = await self.confirmed(error, with: record.rememberedKey) else {
            return await self.respond(to: request, takesRememberedKey: false)
          }
          return self.finish(self.response(to: error, of: record), of: record)
        }
      }
    } catch {
      guard let error = await confirmed(error, with: record.rememberedKey) else {
        return await admit(head, takesRememberedKey: false)
      }
      return .refuse(finish(response(to: error, of: record), of: record))
    }
  }

  /// The parts of a request that its answer, its log line and the metrics need.
  private struct Record {
    let id: String
    let start = ContinuousClock.now
    let method: String
    let address: String
    /// Whether the caller shows HTML; a browser saves any other answer as a file.
    let takesPage: Bool
    var route = "none"
    /// The methods of the route that names the whole path, if it does not take the request's method.
    var otherMethods: String?
    var key: String?
    var role: APIKey.Role?
    /// The key of the request if an earlier request found it.
    var rememberedKey: APIKey?
    var span: OpenSpan?

    init(request: HTTPRequest) {
      id = API.requestID(of: request)
      method = request.method
      address = request.remoteAddress
      takesPage = request.header("Accept")?.contains("text/html") == true
    }
  }

  private func response(to error: any Error, of record: Record) -> HTTPResponse {
    let source = "\(record.method) \(record.route)"
    switch error {
    case var error as RequestError:
      // GET /audiences/count asks for an audience with the id "count".
      if error.code == .notFound, let methods = record.otherMethods {
        error.message += "; this path takes \(methods)"
      }
      return record.takesPage && record.route == "none" ? unknownPage(error) : error.response
    case let error as WrongMethod: return error.response
    case let error as StoreError:
      var refusal = RequestError(error)
      if refusal.status >= 500 {
        log(LogLine("\(source): \(error.message)", request: record.id))
      }
      // A device key is in every copy of the app, so its holder must not learn about the database.
      if error.code == .damaged, record.role == .device {
        refusal.message =
          "a stored value is not understood; the server's log names it with the request \(record.id)"
      }
      return refusal.response
    default:
      log(LogLine("\(source): \(error)", request: record.id))
      return RequestError(.fault, "internal error").response
    }
  }

  /// Adds the headers that all answers have, counts the request and logs it.
  ///
  /// The answer's `X-Request-Id` is the request's own, or a new one, and is in every log line about
  /// the request.
  private func finish(_ answer: HTTPResponse, of record: Record) -> HTTPResponse {
    var response = answer
    response.headers.append((name: "X-Request-Id", value: record.id))
    site.addSecurityHeaders(to: &response)
    let duration = ContinuousClock.now - record.start
    metrics.answered(record.method, route: record.route, status: response.status, in: duration)
    requests?(
      RequestLine(
        id: record.id, method: record.method, route: record.route, status: response.status,
        duration: duration, key: record.key, address: record.address,
        trace: record.span?.context.traceID))
    if let tracer, let span = record.span {
      tracer.record(
        span.ended(
          "\(record.method) \(record.route)", .server, at: tracer.now(),
          attributes: [
            "http.request.method": .text(record.method), "http.route": .text(record.route),
            "http.response.status_code": .number(response.status),
            "martlet.request.id": .text(record.id),
          ], failure: response.status >= 500 ? "answered \(response.status)" : nil))
    }
    return response
  }

  /// Begins the span of a request in its caller's trace, if it has one.
  ///
  /// A device key is public, so its holder does not decide what is recorded.
  private func beginSpan(of head: HTTPRequest, _ key: APIKey?, at start: UInt64) -> OpenSpan? {
    var caller: TraceContext?
    if let key, key.role != .device, let text = head.header("traceparent") {
      caller = TraceContext(traceparent: text)
    }
    return tracer?.begin(at: start, in: caller)
  }

  /// Returns the request's own id if it is 1 to 64 of `[A-Za-z0-9_-]`, or else a new one.
  private static func requestID(of request: HTTPRequest) -> String {
    guard let id = request.header("X-Request-Id"), (1...64).contains(id.utf8.count),
      id.utf8.allSatisfy({ byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
      })
    else { return Identifiers.makeObjectID() }
    return id
  }

  private static func refuseZero(
    in texts: some Sequence<String>, of what: String
  ) throws(RequestError) {
    guard !texts.contains(where: CallerText.hasZero) else {
      throw RequestError(.invalid, "\(what) \(CallerText.zeroAdvice)")
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
