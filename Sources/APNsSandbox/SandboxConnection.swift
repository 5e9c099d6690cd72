import FoundationEssentials
import PushPayload
import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// One provider's connection to the sandbox.
final class SandboxConnection {
  let channel: HTTP2Channel
  var watch: EventLoop.Registration
  var watched: EventLoop.Readiness
  private(set) var timeouts: ConnectionTimeouts
  var provider = SandboxProvider()
  /// Requests that are still coming in.
  private var arriving = StreamTable<SandboxRequest>()
  /// Requests whose answer is still to be given.
  private var unanswered = StreamTable<Void>()
  /// Answers that wait for their time, by stream: what they say is done by then, or when the connection ends.
  private var due = StreamTable<DueAnswer>()
  private var hasFullLimit = false
  /// The last stream that is processed, once GOAWAY was said.
  private var lastStream: Int32?
  private var headers = HeaderBlock()
  /// The last stream that came.
  private(set) var latestStream: Int32 = 0
  /// The socket stays, and nothing is read or said.
  var isSilent = false
  /// It is silent for good: what it has read is lost.
  var isDead = false

  init(_ channel: HTTP2Channel, watch: EventLoop.Registration, timeouts: ConnectionTimeouts) {
    self.channel = channel
    self.watch = watch
    self.timeouts = timeouts
    watched = channel.interest
  }

  /// Takes events at a time and says which requests are complete.
  func process(
    _ events: [HTTP2Session.Event], at now: Duration
  ) -> [(stream: Int32, request: SandboxRequest)] {
    var complete: [(stream: Int32, request: SandboxRequest)] = []
    for event in events {
      switch event {
      case .headers(let stream, let fields, _):
        // A second block is trailers, which say nothing here.
        latestStream = max(latestStream, stream)
        if arriving[stream] == nil { arriving.insert(SandboxRequest(fields, since: now), stream) }
      case .data(let stream, let bytes):
        arriving[stream]?.take(bytes)
      case .end(let stream):
        if let request = arriving.remove(stream) {
          unanswered.insert((), stream)
          complete.append((stream, request))
        }
      case .closed(let stream, _):
        arriving.remove(stream)
        unanswered.remove(stream)
      case .settings, .goAway: break
      }
    }
    return complete
  }

  /// Whether an answer is still to be given.
  var isAnswering: Bool { unanswered.count > 0 }

  /// The provider has said something.
  func heard(at now: Duration) { timeouts.heard(at: now) }

  /// Whether it keeps the sandbox waiting for too long.
  func judge(at now: Duration) -> ConnectionTimeouts.Verdict {
    timeouts.judge(
      ConnectionTimeouts.Standing(
        isOpen: channel.isOpen, oldestArrival: arriving.elements.map(\.value.since).min(),
        isAnswering: isAnswering, isBlocked: channel.isBlocked, sent: channel.sentCount),
      at: now)
  }

  /// Whether a request is still to be processed, or was disclaimed by GOAWAY.
  func isServed(_ stream: Int32) -> Bool { lastStream.map { stream <= $0 } ?? true }

  /// Answers a request.
  func answer(_ stream: Int32, _ answer: SandboxAnswer) {
    guard unanswered.remove(stream) != nil else { return }
    headers.removeAll()
    headers.append(":status", String(answer.status))
    let idName: StaticString = answer.isOfChannels ? "apns-request-id" : "apns-id"
    headers.append(idName, answer.apnsID, isIndexed: false)
    if let id = answer.apnsUniqueID { headers.append("apns-unique-id", id, isIndexed: false) }
    if let id = answer.channelID { headers.append("apns-channel-id", id, isIndexed: false) }
    let body = answer.reason.map { Self.body($0, answer.timestamp) } ?? answer.body
    guard let body else { return channel.session.submitResponse(stream: stream, headers) }
    headers.append("content-type", "application/json")
    channel.session.submitResponse(stream: stream, headers, body: body)
  }

  /// Keeps an answer until its time.
  func keep(_ answer: DueAnswer, _ stream: Int32) { due.insert(answer, stream) }

  /// Takes off an answer whose time has come; `nil` where the request was disclaimed meanwhile.
  func takeDue(_ stream: Int32) -> DueAnswer? { due.remove(stream) }

  /// Takes off all answers that wait, in the order of their streams.
  func takeAllDue(above last: Int32 = 0) -> [(stream: Int32, due: DueAnswer)] {
    let taken = due.elements.filter { $0.stream > last }.sorted { $0.stream < $1.stream }
    for (stream, _) in taken { due.remove(stream) }
    return taken.map { ($0.stream, $0.value) }
  }

  /// Allows the full number of streams, once.
  func allow(streams: Int) {
    guard !hasFullLimit else { return }
    hasFullLimit = true
    if streams != 1 { channel.session.submitStreamLimit(UInt32(clamping: streams)) }
  }

  /// Says that the connection closes, and why, as APNs does; returns the requests that it disclaims.
  @discardableResult
  func goAway(
    _ reason: String, lastStream: Int32? = nil, code: HTTP2ErrorCode = .noError
  ) -> [(stream: Int32, due: DueAnswer)] {
    if let lastStream {
      // RFC 9113 section 6.8: a second one must not raise the number.
      let last = min(lastStream, self.lastStream ?? .max)
      self.lastStream = last
      for (stream, _) in unanswered.elements where stream > last { unanswered.remove(stream) }
    }
    channel.session.submitGoAway(
      lastStream: self.lastStream, code: code, debugData: Self.body(reason, nil))
    return takeAllDue(above: self.lastStream ?? .max)
  }

  private static func body(_ reason: String, _ timestamp: Int64?) -> [UInt8] {
    var members: [String: JSONValue] = ["reason": .string(reason)]
    if let timestamp { members["timestamp"] = .integer(timestamp) }
    return Array(JSONValue.object(members).serialized())
  }
}

/// What a connection has shown of who sends.
struct SandboxProvider {
  var tokens = ProviderTokenHistory()
  /// The certificate of the TLS handshake; with one, provider tokens are not looked at.
  var certificate: TLSPeer?
}

/// An answer that waits for its time.
struct DueAnswer {
  var request: SandboxRequest
  var answer: SandboxAnswer
  /// When the request came, in milliseconds since 1970.
  var time: Int64
}

/// What the sandbox answers.
struct SandboxAnswer: Sendable {
  var status: Int
  var reason: String?
  var timestamp: Int64?
  var apnsID: String
  var apnsUniqueID: String?
  /// Whether it is about channels, where the id is called `apns-request-id`.
  var isOfChannels = false
  var channelID: String?
  /// The body of a success.
  var body: [UInt8]?
}
