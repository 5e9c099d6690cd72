import CMicroHTTPD
import Synchronization

/// libmicrohttpd's handle of a connection, kept to wake it.
///
/// Sendable by the manual: between `MHD_suspend_connection` and `MHD_resume_connection` the
/// library leaves a connection alone, and the latter may be called from any thread. We do just
/// that, once for each suspension, and stop the daemon only when none is left.
@safe struct SuspendedConnection: @unchecked Sendable {
  private let connection: OpaquePointer

  /// Called in a callback of that connection.
  init(suspending connection: OpaquePointer) {
    unsafe self.connection = unsafe connection
    unsafe MHD_suspend_connection(connection)
  }

  func resume() { unsafe MHD_resume_connection(connection) }
}

/// One request on its way through the server.
///
/// libmicrohttpd holds it (retained) from the request line to its completion callback; the
/// handler's task holds it while it runs.
final class Exchange: Sendable {
  private struct State {
    var begun = false
    var machine = ExchangeMachine()
    var request: HTTPRequest?
    var suspended: SuspendedConnection?
    var task: Task<Void, Never>?
    var incoming: IncomingBody?
    var stream: StreamedBody?
    var streamsMayRun = true
  }

  let target: RequestTarget
  private let state = Mutex(State())

  init(target: RequestTarget) { self.target = target }

  /// True once: at the end of the headers.
  func begins() -> Bool {
    state.withLock { state in
      defer { state.begun = true }
      return !state.begun
    }
  }

  func headEnded(
    method: String, version: String, headers: [(name: String, value: String)],
    remoteAddress: String, service: HTTPService
  ) -> ExchangeMachine.Action {
    state.withLock { state in
      var request = HTTPRequest(
        method: method, path: target.path, query: target.query, headers: headers,
        remoteAddress: remoteAddress)
      let action = state.machine.headEnded(
        version: version, headers: headers, streams: service.streamsBody(method, target.path),
        limit: { service.bodyLimit(method, target.path) })
      guard case .stream = action else {
        state.request = request
        return action
      }
      request.incoming = IncomingBody()
      state.incoming = request.incoming
      state.task = Task { [request] in self.responded(await service.handler(request)) }
      return .proceed
    }
  }

  func bodyCame(
    _ bytes: UnsafeRawBufferPointer, on connection: OpaquePointer
  ) -> ExchangeMachine.Action {
    let (action, incoming) = state.withLock { state in
      (unsafe state.machine.bodyCame(bytes), state.incoming)
    }
    switch action {
    case .pass: unsafe incoming?.came(bytes, on: connection)
    case .cutOff: incoming?.end(.failure(.tooLong))
    default: return action
    }
    return .proceed
  }

  /// Whole or woken.
  ///
  /// A whole request goes to the handler while its connection sleeps; the two happen under one
  /// lock, so that no answer can wake a connection that does not sleep yet.
  func continued(
    _ connection: OpaquePointer, handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) -> ExchangeMachine.Action {
    state.withLock { state in
      let action = state.machine.continued()
      if case .sleep = action {
        state.suspended = unsafe SuspendedConnection(suspending: connection)
        state.incoming?.end()
        return .proceed
      }
      guard case .handle(let body) = action, var request = state.request else { return action }
      request.body = body
      state.request = nil
      state.suspended = unsafe SuspendedConnection(suspending: connection)
      state.task = Task { [request] in self.responded(await handler(request)) }
      return .proceed
    }
  }

  /// Keeps a streamed answer within reach of `endStream`.
  func streams(_ body: StreamedBody) {
    let mayRun = state.withLock { state in
      state.stream = body
      return state.streamsMayRun
    }
    if !mayRun { body.end() }
  }

  /// Ends the answer if it is a stream, now or later.
  func endStream() {
    state.withLock { state in
      state.streamsMayRun = false
      return state.stream
    }?.end()
  }

  /// Nothing more comes from the peer.
  func cutOff() { state.withLock(\.incoming)?.end(.failure(.cutOff)) }

  /// The server will not wait for this one.
  ///
  /// After this its connection sleeps no more.
  func abandon() {
    let (task, suspended) = state.withLock {
      ($0.task, $0.machine.abandoned() ? $0.suspended.take() : nil)
    }
    task?.cancel()
    suspended?.resume()
    cutOff()
    endStream()
  }

  private func responded(_ response: HTTPResponse) {
    let (suspended, incoming) = state.withLock {
      ($0.machine.responded(response) ? $0.suspended.take() : nil, $0.incoming)
    }
    suspended?.resume()
    incoming?.close()
  }
}
