/// One request and its answer, as a value: what libmicrohttpd reports goes in, what to tell it
/// comes out.
struct ExchangeMachine {
  private enum State {
    case idle
    case receiving(limit: Int)
    /// Too long, and only a chunked body gets here: the rest is read and forgotten, up to a
    /// point, since libmicrohttpd takes an answer only before or after a body.
    case discarding(limit: Int, forgotten: Int)
    case handling
    case answering(HTTPResponse)
    case ended
  }

  enum Action {
    case proceed
    case answer(HTTPResponse, close: Bool)
    case handle(body: [UInt8])
    case hangUp
  }

  private var state = State.idle
  private var body: [UInt8] = []

  /// The headers are read.
  ///
  /// `limit` is asked for only if the message is framed soundly.
  mutating func headEnded(
    version: String, headers: [(name: String, value: String)], limit: () -> Int
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
      body.reserveCapacity(min(bytes, 1 << 20))
    }
    state = .receiving(limit: limit)
    return .proceed
  }

  mutating func bodyCame(_ bytes: UnsafeRawBufferPointer) -> Action {
    switch state {
    case .receiving(let limit):
      guard bytes.count <= limit - body.count else {
        body = []
        state = .discarding(limit: limit, forgotten: 0)
        return .proceed
      }
      unsafe body.append(contentsOf: bytes)
      return .proceed
    case .discarding(let limit, let forgotten):
      guard forgotten <= limit else { return hangUp() }
      state = .discarding(limit: limit, forgotten: forgotten + bytes.count)
      return .proceed
    case .idle, .handling, .answering, .ended:
      return hangUp()
    }
  }

  /// The request is whole, or an answer woke the connection.
  mutating func continued() -> Action {
    switch state {
    case .receiving:
      state = .handling
      defer { body = [] }
      return .handle(body: body)
    case .discarding(let limit, _):
      return refuse(status: 413, Self.tooLong(limit))
    case .answering(let response):
      state = .ended
      return .answer(response, close: false)
    case .idle, .handling, .ended:
      return hangUp()
    }
  }

  /// The handler's answer.
  ///
  /// True if the connection has to be woken to take it.
  mutating func responded(_ response: HTTPResponse) -> Bool {
    guard case .handling = state else { return false }
    state = .answering(response)
    return true
  }

  /// The server stops without waiting.
  ///
  /// True if the connection has to be woken to learn it.
  mutating func abandoned() -> Bool {
    defer { state = .ended }
    if case .handling = state { return true }
    return false
  }

  private mutating func refuse(status: Int, _ reason: String) -> Action {
    state = .ended
    return .answer(.refusal(status: status, reason), close: true)
  }

  private mutating func hangUp() -> Action {
    state = .ended
    return .hangUp
  }

  private static func tooLong(_ limit: Int) -> String {
    "the body is longer than the \(limit) bytes allowed here"
  }
}

extension HTTPResponse {
  static let stopping = refusal(status: 503, "the server is stopping")

  /// An answer this server gives by itself.
  ///
  /// `reason` is our own text, so it needs no escaping.
  static func refusal(status: Int, _ reason: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [("Content-Type", "application/json")],
      body: Array("{\"error\":\"\(reason)\"}".utf8))
  }
}
