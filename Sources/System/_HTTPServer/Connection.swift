import _EventLoop

/// One connection and the request that it carries, as its event loop keeps them.
final class Connection {
  enum Phase {
    /// A trusted proxy's header is read.
    case proxy(ProxyHeader)
    /// The TLS handshake.
    case handshake
    /// The next request's head is read.
    case head
    /// The headers are judged; nothing is read meanwhile.
    case judging
    /// The body is read.
    case body(BodyTarget)
    /// The handler runs; nothing is read meanwhile.
    case handling
    /// The answer is sent.
    case answering
    /// The answer is sent, and what the client still sends is read and dropped.
    case lingering(left: Int)
  }

  /// Where the bytes of a body go.
  enum BodyTarget {
    case collected(CollectedBody, HTTPServer.Handler)
    case streamed(IncomingBody)
    /// The rest of a streamed body is dropped, since the handler has answered before its end.
    case dropped(answer: HTTPResponse)
  }

  let id: Int
  let transport: Transport
  var registration: EventLoop.Registration
  /// What the socket is watched for.
  var interest: EventLoop.Readiness = .read
  /// The address of the peer, or the one that a trusted proxy names for it.
  var address: String
  /// The networks of the address in which it counts; empty for a trusted proxy's.
  var networks: [String] = []
  /// The instant from which the connection waits for a request.
  var idleSince: Duration
  var phase: Phase
  var reader: RequestReader

  /// The number of the current request on this connection; results for an earlier one are dropped.
  var exchange = 0
  var isInFlight = false
  var head: RequestHead?
  var request: HTTPRequest?
  var bodyLimit = 0
  var bodyCost = BodyCost.bytes
  var bodyCount = 0
  /// Whether the handler of a streamed body has to read first.
  var isPaused = false
  var task: Task<Void, Never>?
  var incoming: IncomingBody?
  /// Whether an interim `100 Continue` is owed.
  var owesContinue = false

  var keepsAlive = true
  var output = OutputQueue()
  var outgoing: OutgoingBody?
  /// The task that takes chunks of a streamed answer, and what it waits for.
  var pump: Task<Void, Never>?
  var drained: CheckedContinuation<Void, Never>?

  init(
    id: Int, transport: Transport, registration: EventLoop.Registration, address: String,
    phase: Phase, headLimit: Int, at now: Duration
  ) {
    self.id = id
    self.transport = transport
    self.registration = registration
    self.address = address
    self.phase = phase
    idleSince = now
    reader = RequestReader(headLimit: headLimit)
  }

  /// The name of the current request.
  var exchangeID: ExchangeID { ExchangeID(connection: id, exchange: exchange) }

  /// Whether bytes of the peer are read in this phase.
  var reads: Bool {
    switch phase {
    case .proxy, .handshake, .head, .lingering: true
    case .body: !isPaused
    case .judging, .handling: false
    // So that the end of the client is noticed while a stream is quiet.
    case .answering: outgoing?.isStream == true && reader.waitingCount < reader.headLimit
    }
  }
}

/// One request on one connection.
struct ExchangeID: Sendable {
  var connection: Int
  var exchange: Int
}

/// The bytes that wait to be sent.
struct OutputQueue {
  private var pieces: [[UInt8]] = []
  private var first = 0
  private var written = 0

  var isEmpty: Bool { first == pieces.count }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    // Small pieces are sent together.
    if let last = pieces.indices.last, last > first, pieces[last].count + bytes.count <= 16 << 10 {
      pieces[last] += bytes
    } else {
      pieces.append(bytes)
    }
  }

  /// The piece to send next, and how much of it was sent.
  var next: (bytes: [UInt8], from: Int)? { isEmpty ? nil : (pieces[first], written) }

  mutating func sent(_ count: Int) {
    written += count
    guard written == pieces[first].count else { return }
    pieces[first] = []
    (first, written) = (first + 1, 0)
    if isEmpty { (pieces, first) = ([], 0) }
  }
}
