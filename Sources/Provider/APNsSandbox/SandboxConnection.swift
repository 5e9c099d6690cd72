import FoundationEssentials
import PushPayload
import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// One provider's connection to the sandbox.
final class SandboxConnection {
  let channel: HTTP2Channel
  /// The registration of its socket with the event loop, and the events that it watches for.
  let registration: EventLoop.Registration
  var watchedInterest: EventLoop.Readiness
  private var timeouts: ConnectionTimeouts
  var provider = SandboxProvider()
  /// The requests that are not complete, by stream.
  private var arriving = StreamTable<SandboxRequest>()
  /// The streams of complete requests without an answer.
  private var unanswered = StreamTable<Void>()
  /// The answers that are sent later, by stream.
  private var delayed = StreamTable<DelayedAnswer>()
  private var hasFullLimit = false
  /// The last stream that is processed, once GOAWAY was sent.
  private var lastStream: Int32?
  private var headers = HeaderBlock()
  /// The highest stream that a request came on.
  private(set) var latestStream: Int32 = 0
  static let defaultDrainTime = Duration.seconds(1)
  /// The time that the connection stays open after GOAWAY and its last answer; `nil` before GOAWAY.
  private(set) var drainTime: Duration?
  /// Whether that time runs; frames are then read but not answered.
  var isDraining = false
  /// Whether a fault keeps the socket open while nothing is read or written.
  var isSilent = false
  /// Whether it stays silent: requests that were read are dropped.
  var isDead = false

  init(
    _ channel: HTTP2Channel, registration: EventLoop.Registration, timeouts: ConnectionTimeouts
  ) {
    self.channel = channel
    self.registration = registration
    self.timeouts = timeouts
    watchedInterest = channel.interest
  }

  /// Applies events, and returns the requests that are complete now.
  func process(
    _ events: [HTTP2Session.Event], at now: Duration
  ) -> [(stream: Int32, request: SandboxRequest)] {
    var complete: [(stream: Int32, request: SandboxRequest)] = []
    for event in events {
      switch event {
      case .headers(let stream, let fields, _):
        // A second block is trailers, which are ignored.
        latestStream = max(latestStream, stream)
        if arriving[stream] == nil {
          arriving.insert(SandboxRequest(fields, arrivedAt: now), stream)
        }
      case .data(let stream, let bytes):
        arriving[stream]?.receive(bytes)
      case .end(let stream):
        if let request = arriving.remove(stream) {
          unanswered.insert((), stream)
          complete.append((stream, request))
        }
      case .closed(let stream, _):
        arriving.remove(stream)
        unanswered.remove(stream)
      case .settings, .pong, .goAway: break
      }
    }
    return complete
  }

  /// Whether a complete request has no answer yet.
  var isAnswering: Bool { unanswered.count > 0 }

  /// The provider has sent something.
  func received(at now: Duration) { timeouts.received(at: now) }

  /// Whether a timeout was exceeded.
  func checkTimeouts(at now: Duration) -> ConnectionTimeouts.Verdict {
    timeouts.check(
      ConnectionTimeouts.Activity(
        isOpen: channel.isOpen, oldestArrival: arriving.elements.map(\.value.arrivedAt).min(),
        isAnswering: isAnswering, isBlocked: channel.isBlocked, sent: channel.sentCount),
      at: now)
  }

  /// Whether the request of a stream is processed; not one above the last stream of GOAWAY.
  func isServed(_ stream: Int32) -> Bool { lastStream.map { stream <= $0 } ?? true }

  /// Sends the answer to a request, unless it has one or its stream was closed.
  func answer(_ stream: Int32, _ answer: SandboxAnswer) {
    guard unanswered.remove(stream) != nil else { return }
    headers.removeAll()
    headers.append(":status", String(answer.status))
    let idName: StaticString = answer.isOfChannels ? "apns-request-id" : "apns-id"
    headers.append(idName, answer.apnsID, isIndexed: false)
    if let id = answer.apnsUniqueID { headers.append("apns-unique-id", id, isIndexed: false) }
    if let id = answer.channelID { headers.append("apns-channel-id", id, isIndexed: false) }
    let body =
      answer.reason.map { Self.body(reason: $0, timestamp: answer.timestamp) } ?? answer.body
    guard let body else { return channel.session.submitResponse(stream: stream, headers) }
    headers.append("content-type", "application/json")
    channel.session.submitResponse(stream: stream, headers, body: body)
  }

  /// Keeps an answer that is sent later.
  func delay(_ answer: DelayedAnswer, _ stream: Int32) { delayed.insert(answer, stream) }

  /// Removes the delayed answer of a stream; `nil` if GOAWAY left the request unprocessed meanwhile.
  func removeDelayed(_ stream: Int32) -> DelayedAnswer? { delayed.remove(stream) }

  /// Removes all delayed answers of streams above one, in the order of the streams.
  func removeAllDelayed(above last: Int32 = 0) -> [(stream: Int32, delayed: DelayedAnswer)] {
    let removed = delayed.elements.filter { $0.stream > last }.sorted { $0.stream < $1.stream }
    for (stream, _) in removed { delayed.remove(stream) }
    return removed.map { ($0.stream, $0.value) }
  }

  /// Ends the slow start: allows the full number of streams.
  func allow(streams: Int) {
    guard !hasFullLimit else { return }
    hasFullLimit = true
    if streams != 1 { channel.session.submitStreamLimit(UInt32(clamping: streams)) }
  }

  /// Sends GOAWAY with a reason in its debug data, as APNs does.
  ///
  /// Pushes that are on their way meet an open socket for `drainTime`: a socket that is closed with unread bytes
  /// resets the connection, and the answers that the provider has not read yet are lost with it.
  ///
  /// - Returns: The requests with a delayed answer that are left unprocessed.
  @discardableResult
  func goAway(
    _ reason: String, lastStream: Int32? = nil, code: HTTP2ErrorCode = .noError,
    drainTime: Duration = defaultDrainTime
  ) -> [(stream: Int32, delayed: DelayedAnswer)] {
    self.drainTime = drainTime
    if let lastStream {
      // A second GOAWAY must not raise the number (RFC 9113 section 6.8).
      let last = min(lastStream, self.lastStream ?? .max)
      self.lastStream = last
      for (stream, _) in unanswered.elements where stream > last { unanswered.remove(stream) }
    }
    channel.session.submitGoAway(
      lastStream: self.lastStream, code: code,
      debugData: Self.body(reason: reason, timestamp: nil))
    return removeAllDelayed(above: self.lastStream ?? .max)
  }

  private static func body(reason: String, timestamp: Int64?) -> [UInt8] {
    var members: [String: JSONValue] = ["reason": .string(reason)]
    if let timestamp { members["timestamp"] = .integer(timestamp) }
    return Array(JSONValue.object(members).serialized())
  }
}

/// The credentials that the provider of a connection has shown.
struct SandboxProvider {
  var tokens = ProviderTokenHistory()
  /// The certificate of the TLS handshake; with one, provider tokens are ignored.
  var certificate: TLSPeer?
}

/// An answer that is sent later, with its request.
struct DelayedAnswer {
  var request: SandboxRequest
  var answer: SandboxAnswer
  /// The time of the request in milliseconds since 1970.
  var time: Int64
}

/// An answer of the sandbox.
struct SandboxAnswer: Sendable {
  var status: Int
  var reason: String?
  var timestamp: Int64?
  var apnsID: String
  var apnsUniqueID: String?
  /// Whether it answers a request about channels, whose id is in `apns-request-id`.
  var isOfChannels = false
  var channelID: String?
  /// The body of a success.
  var body: [UInt8]?
}
