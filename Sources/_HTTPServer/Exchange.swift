import CMicroHTTPD
import Synchronization

/// A suspended connection of libmicrohttpd, which is resumed once.
///
/// It is `Sendable` by the library's manual: between `MHD_suspend_connection` and
/// `MHD_resume_connection` the library does not touch a connection, and the latter may be called
/// from any thread. The daemon is stopped only when no connection is suspended.
@safe struct SuspendedConnection: @unchecked Sendable {
  private let connection: OpaquePointer

  /// Suspends a connection, inside one of its callbacks.
  init(suspending connection: OpaquePointer) {
    unsafe self.connection = unsafe connection
    unsafe MHD_suspend_connection(connection)
  }

  func resume() { unsafe MHD_resume_connection(connection) }
}

/// One request and its answer: an ``ExchangeMachine`` with the connection, the handler's task and
/// the bodies.
///
/// libmicrohttpd retains it from the request line to the completion callback, and the handler's
/// task while it runs.
final class Exchange: Sendable {
  private struct State {
    var hasBegun = false
    var machine = ExchangeMachine()
    var request: HTTPRequest?
    var suspended: SuspendedConnection?
    var task: Task<Void, Never>?
    var incoming: IncomingBody?
    var stream: StreamedBody?
    var allowsStreams = true
  }

  let target: RequestTarget
  private let state = Mutex(State())

  init(target: RequestTarget) { self.target = target }

  /// Returns `true` at the first call, which is at the end of the headers.
  func begin() -> Bool {
    state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  func receivedHead(
    method: String, version: String, headers: [(name: String, value: String)],
    remoteAddress: String, service: HTTPService
  ) -> ExchangeMachine.Action {
    state.withLock { state in
      var request = HTTPRequest(
        method: method, path: target.path, query: target.query, headers: headers,
        remoteAddress: remoteAddress)
      let action = state.machine.receivedHead(
        version: version, headers: headers, streams: service.streamsBody(method, target.path),
        limit: { service.bodyLimit(method, target.path) })
      guard case .stream = action else {
        state.request = request
        return action
      }
      request.incoming = IncomingBody()
      state.incoming = request.incoming
      state.task = Task { [request] in self.finish(with: await service.handler(request)) }
      return .proceed
    }
  }

  func receivedBody(
    _ bytes: UnsafeRawBufferPointer, on connection: OpaquePointer
  ) -> ExchangeMachine.Action {
    let (action, incoming) = state.withLock { state in
      (unsafe state.machine.receivedBody(bytes), state.incoming)
    }
    switch action {
    case .pass: unsafe incoming?.append(bytes, on: connection)
    case .failBody: incoming?.end(.failure(.tooLong))
    default: return action
    }
    return .proceed
  }

  /// Continues a request that is complete, or a connection that was resumed with an answer.
  ///
  /// A complete request is handed to the handler, and its connection suspended, under one lock, so
  /// that no answer resumes a connection before it is suspended.
  func receivedEndOrResumed(
    _ connection: OpaquePointer, handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) -> ExchangeMachine.Action {
    state.withLock { state in
      let action = state.machine.receivedEndOrResumed()
      if case .suspend = action {
        state.suspended = unsafe SuspendedConnection(suspending: connection)
        state.incoming?.end()
        return .proceed
      }
      guard case .handle(let body) = action, var request = state.request else { return action }
      request.body = body
      state.request = nil
      state.suspended = unsafe SuspendedConnection(suspending: connection)
      state.task = Task { [request] in self.finish(with: await handler(request)) }
      return .proceed
    }
  }

  /// Sets the body of a streamed answer, so that ``endStream()`` can end it.
  func setStream(_ body: StreamedBody) {
    let isAllowed = state.withLock { state in
      state.stream = body
      return state.allowsStreams
    }
    if !isAllowed { body.end() }
  }

  /// Ends a streamed answer, or the one that will be set.
  func endStream() {
    state.withLock { state in
      state.allowsStreams = false
      return state.stream
    }?.end()
  }

  /// Ends the request's body with an error, where it is not complete.
  func endIncomingBody() { state.withLock(\.incoming)?.end(.failure(.connectionClosed)) }

  /// Cancels the handler and resumes the connection, since the server stops without waiting.
  func abandon() {
    let (task, suspended) = state.withLock {
      ($0.task, $0.machine.abandon() ? $0.suspended.take() : nil)
    }
    task?.cancel()
    suspended?.resume()
    endIncomingBody()
    endStream()
  }

  private func finish(with response: HTTPResponse) {
    let (suspended, incoming) = state.withLock {
      ($0.machine.finish(with: response) ? $0.suspended.take() : nil, $0.incoming)
    }
    suspended?.resume()
    incoming?.close()
  }
}
