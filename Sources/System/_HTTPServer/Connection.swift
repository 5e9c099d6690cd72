import _EventLoop

/// A connection and its current request, as an event loop keeps them.
final class Connection {
  enum Phase {
    /// A trusted proxy's header is being read.
    case proxy(ProxyHeader)
    /// The TLS handshake is in progress.
    case handshake
    /// The head of the next request is being read.
    case head
    /// The admission decides about the headers, and nothing is read meanwhile.
    case judging
    /// The body is being read.
    case body(BodyTarget)
    /// The handler runs, and nothing is read meanwhile.
    case handling
    /// The answer is being sent.
    case answering
    /// The answer was sent, and further bytes of the client are read and dropped.
    case lingering(left: Int)
  }

  /// The destination of a body's bytes.
  enum BodyTarget {
    case collected(CollectedBody, HTTPServer.Handler)
    case streamed(IncomingBody)
    /// The rest of a streamed body is dropped, because the handler answered before its end.
    case dropped(answer: HTTPResponse)
  }

  let id: Int
  let transport: Transport
  var registration: EventLoop.Registration
  /// The operations for which the socket is watched.
  var interest: EventLoop.Readiness = .read
  /// The address of the peer, or the one that a trusted proxy gives for it.
  var address: String
  /// The networks in which the connection is counted; empty if the peer is a trusted proxy.
  var networks: [String] = []
  /// The time since which the connection has been waiting for a request.
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
  /// Whether reading waits for the handler of a streamed body.
  var isPaused = false
  var task: Task<Void, Never>?
  var incoming: IncomingBody?
  /// Whether an interim `100 Continue` must still be sent.
  var owesContinue = false

  var keepsAlive = true
  var output = OutputQueue()
  var outgoing: OutgoingBody?
  /// The task that reads chunks of a streamed answer, and the continuation for which it waits.
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

  /// The identifier of the current request.
  var exchangeID: ExchangeID { ExchangeID(connection: id, exchange: exchange) }

  /// Whether the peer's bytes are read in this phase.
  var reads: Bool {
    switch phase {
    case .proxy, .handshake, .head, .lingering: true
    case .body: !isPaused
    case .judging, .handling: false
    // Reading detects that the client has disconnected while a stream is quiet.
    case .answering: outgoing?.isStream == true && reader.waitingCount < reader.headLimit
    }
  }
}

/// One request on one connection.
struct ExchangeID: Sendable {
  var connection: Int
  var exchange: Int
}

/// The bytes waiting to be sent.
struct OutputQueue {
  private var pieces: [[UInt8]] = []
  private var first = 0
  private var written = 0

  var isEmpty: Bool { first == pieces.count }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    // Small pieces are combined.
    if let last = pieces.indices.last, last > first, pieces[last].count + bytes.count <= 16 << 10 {
      pieces[last] += bytes
    } else {
      pieces.append(bytes)
    }
  }

  /// The next piece to send, and the number of its bytes that were sent.
  var next: (bytes: [UInt8], from: Int)? { isEmpty ? nil : (pieces[first], written) }

  mutating func sent(_ count: Int) {
    written += count
    guard written == pieces[first].count else { return }
    pieces[first] = []
    (first, written) = (first + 1, 0)
    if isEmpty { (pieces, first) = ([], 0) }
  }
}
