/// One request and its answer, as a value: what libmicrohttpd reports goes in, what to tell it
/// comes out.
struct ExchangeMachine {
  private enum State {
    case idle
    case receiving(limit: Int)
    /// The handler runs already and takes the body as it comes.
    case streaming(limit: Int, passed: Int)
    /// Too long, as only a chunked body can be, or answered before its end: the rest is read and
    /// forgotten, up to a point, since libmicrohttpd takes an answer only before or after a body.
    case discarding(limit: Int, forgotten: Int, answer: HTTPResponse?)
    case handling
    case answering(HTTPResponse)
    case ended
  }

  enum Action {
    case proceed
    case answer(HTTPResponse, close: Bool)
    case handle(body: [UInt8])
    /// The handler is to begin, and to be given what comes.
    case stream
    case pass
    /// What was passed on is all of the body that its handler shall see.
    case cutOff
    /// The handler has all of the body.
    case sleep
    case hangUp
  }

  private var state = State.idle
  private var body: [UInt8] = []

  /// The headers are read.
  ///
  /// `limit` is asked for only if the message is framed soundly. `streams` is whether the handler
  /// takes the body as it comes.
  mutating func headEnded(
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

  mutating func bodyCame(_ bytes: UnsafeRawBufferPointer) -> Action {
    switch state {
    case .receiving(let limit):
      guard bytes.count <= limit - body.count else {
        body = []
        state = .discarding(limit: limit, forgotten: 0, answer: nil)
        return .proceed
      }
      unsafe body.append(contentsOf: bytes)
      return .proceed
    case .streaming(let limit, let passed):
      guard bytes.count <= limit - passed else {
        state = .discarding(limit: limit, forgotten: 0, answer: nil)
        return .cutOff
      }
      state = .streaming(limit: limit, passed: passed + bytes.count)
      return .pass
    case .discarding(let limit, let forgotten, let answer):
      guard forgotten <= limit else { return hangUp() }
      state = .discarding(limit: limit, forgotten: forgotten + bytes.count, answer: answer)
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
    case .streaming:
      state = .handling
      return .sleep
    case .discarding(_, _, let answer?):
      state = .ended
      return .answer(answer, close: false)
    case .discarding(let limit, _, nil):
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
    switch state {
    case .handling:
      state = .answering(response)
      return true
    case .streaming(let limit, let passed):
      state = .discarding(limit: limit, forgotten: passed, answer: response)
      return false
    default: return false
    }
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
