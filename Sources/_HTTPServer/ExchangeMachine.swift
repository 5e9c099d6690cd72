/// The state machine of one request and its answer: events of libmicrohttpd in, actions out.
struct ExchangeMachine {
  private enum State {
    case idle
    case receiving(limit: Int)
    /// The handler runs and reads the body while it arrives.
    case streaming(limit: Int, passed: Int)
    /// The rest of the body is read and discarded, up to a limit, since libmicrohttpd takes an
    /// answer only before or after a body. A chunked body was too long, or a streamed one was
    /// answered before its end.
    case discarding(limit: Int, discarded: Int, answer: HTTPResponse?)
    case handling
    case answering(HTTPResponse)
    case ended
  }

  enum Action {
    /// Read on.
    case proceed
    case respond(HTTPResponse, close: Bool)
    /// Call the handler with the whole body.
    case handle(body: [UInt8])
    /// Call the handler with a body that is still to arrive.
    case stream
    /// Pass the bytes to the handler.
    case pass
    /// End the handler's body with an error: it is too long.
    case failBody
    /// The streamed body is complete: suspend the connection until the handler has answered.
    case suspend
    /// Close the connection without an answer.
    case disconnect
  }

  private var state = State.idle
  private var body: [UInt8] = []

  /// Handles the end of the headers.
  ///
  /// `streams` says whether the handler reads the body while it arrives. `limit` is the limit of
  /// the body in bytes; called only where the framing is valid.
  mutating func receivedHead(
    version: String, headers: [(name: String, value: String)], streams: Bool = false,
    limit: () -> Int
  ) -> Action {
    let framing: MessageFraming
    do {
      framing = try MessageFraming(version: version, headers: headers)
    } catch {
      return refuse(status: error.status, error.reason)
    }
    let limit = limit()
    if case .length(let bytes) = framing {
      guard bytes <= limit else { return refuse(status: 413, Self.tooLong(limit)) }
      if !streams { body.reserveCapacity(min(bytes, 1 << 20)) }
    }
    guard !streams else {
      state = .streaming(limit: limit, passed: 0)
      return .stream
    }
    state = .receiving(limit: limit)
    return .proceed
  }

  mutating func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Action {
    switch state {
    case .receiving(let limit):
      guard bytes.count <= limit - body.count else {
        body = []
        state = .discarding(limit: limit, discarded: 0, answer: nil)
        return .proceed
      }
      unsafe body.append(contentsOf: bytes)
      return .proceed
    case .streaming(let limit, let passed):
      guard bytes.count <= limit - passed else {
        state = .discarding(limit: limit, discarded: 0, answer: nil)
        return .failBody
      }
      state = .streaming(limit: limit, passed: passed + bytes.count)
      return .pass
    case .discarding(let limit, let discarded, let answer):
      guard discarded <= limit else { return disconnect() }
      state = .discarding(limit: limit, discarded: discarded + bytes.count, answer: answer)
      return .proceed
    case .idle, .handling, .answering, .ended:
      return disconnect()
    }
  }

  /// Handles the end of the request, or the resumption of the connection with an answer.
  mutating func receivedEndOrResumed() -> Action {
    switch state {
    case .receiving:
      state = .handling
      defer { body = [] }
      return .handle(body: body)
    case .streaming:
      state = .handling
      return .suspend
    case .discarding(_, _, let answer?):
      state = .ended
      return .respond(answer, close: false)
    case .discarding(let limit, _, nil):
      return refuse(status: 413, Self.tooLong(limit))
    case .answering(let response):
      state = .ended
      return .respond(response, close: false)
    case .idle, .handling, .ended:
      return disconnect()
    }
  }

  /// Handles the handler's answer.
  ///
  /// - Returns: Whether the connection is suspended, and has to be resumed to send the answer.
  mutating func finish(with response: HTTPResponse) -> Bool {
    switch state {
    case .handling:
      state = .answering(response)
      return true
    case .streaming(let limit, let passed):
      state = .discarding(limit: limit, discarded: passed, answer: response)
      return false
    default: return false
    }
  }

  /// Ends the exchange, since the server stops without waiting.
  ///
  /// - Returns: Whether the connection is suspended, and has to be resumed to be closed.
  mutating func abandon() -> Bool {
    defer { state = .ended }
    if case .handling = state { return true }
    return false
  }

  private mutating func refuse(status: Int, _ reason: String) -> Action {
    state = .ended
    return .respond(.refusal(status: status, reason), close: true)
  }

  private mutating func disconnect() -> Action {
    state = .ended
    return .disconnect
  }

  private static func tooLong(_ limit: Int) -> String {
    "the body is longer than the \(limit) bytes allowed here"
  }
}

extension HTTPResponse {
  static let stopping = refusal(status: 503, "the server is stopping")

  /// Makes an answer of the server itself, without the handler.
  ///
  /// `reason` is a text without characters that JSON escapes.
  static func refusal(status: Int, _ reason: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [("Content-Type", "application/json")],
      body: Array("{\"error\":\"\(reason)\"}".utf8))
  }
}
