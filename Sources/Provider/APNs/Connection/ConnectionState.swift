import FoundationEssentials
import PushPayload
import _HTTP2

/// The state machine of one HTTP/2 connection to APNs: the limit of open streams, the pushes on them, and the effect
/// of each event on the pushes.
///
/// Slow start: with provider tokens it opens one stream until the first answer, whatever the peer's settings say,
/// because APNs allows one until it has accepted a token. With a certificate it opens one until the settings have
/// come.
struct ConnectionState {
  /// The effect of an event on a push.
  enum Effect {
    case finished(PushReference, PushResult)
    /// The peer did not process the push, so it may be sent again.
    case refused(PushReference)
    /// The push of a stream is finished, but the peer goes on sending more than is kept.
    case ended(stream: Int32)

    var isAnswer: Bool {
      if case .finished(_, .answered) = self { true } else { false }
    }
  }

  /// The most streams that are opened, whatever the peer allows.
  static let maxStreams = 1000

  private struct InFlight {
    let push: PushReference
    var answer: PushAnswer
  }

  private var inFlight = StreamTable<InFlight>()
  private let awaitsAnswer: Bool
  private var streamLimit = 1
  /// The reason why no new stream is opened on the connection; `nil` while it is in use.
  private(set) var retirement: String?
  /// The last stream that the peer will process, once it has sent GOAWAY.
  private var lastProcessed: Int32?

  var isIdle: Bool { inFlight.count == 0 }
  var inFlightCount: Int { inFlight.count }
  /// The pushes that are in flight.
  var inFlightKeys: [PushKey] { inFlight.elements.map { PushKey($0.value.push) } }
  /// Whether slow start still limits it to one stream.
  private(set) var isStarting = true

  init(awaitsAnswer: Bool = false) { self.awaitsAnswer = awaitsAnswer }

  /// Whether another push may be sent.
  var canOpenStream: Bool { freeStreams > 0 }
  /// The number of further pushes that may be sent.
  var freeStreams: Int { retirement == nil ? max(0, streamLimit - inFlight.count) : 0 }

  /// A stream was opened for a push; of the answer's body at most `bodyLimit` bytes are kept.
  mutating func opened(
    _ stream: Int32, for push: PushReference, bodyLimit: Int = PushAnswer.maxBody
  ) {
    inFlight.insert(InFlight(push: push, answer: PushAnswer(bodyLimit: bodyLimit)), stream)
  }

  /// Opens no more streams; the pushes in flight may still be answered.
  mutating func retire(_ reason: String) { retirement = retirement ?? reason }

  /// Applies events of the session, in order; `limit` is the limit in the peer's settings, or `nil` if they have none.
  mutating func on(
    _ events: [HTTP2Session.Event], streamLimit limit: Int?
  ) -> [Effect] {
    var effects: [Effect] = []
    for event in events { on(event, streamLimit: limit, &effects) }
    return effects
  }

  private mutating func on(
    _ event: HTTP2Session.Event, streamLimit limit: Int?, _ effects: inout [Effect]
  ) {
    switch event {
    case .headers(let stream, let fields, _):
      inFlight.update(stream) { $0.answer.receive(fields) }
      if isStarting, let status = inFlight[stream]?.answer.status, status != 403 {
        isStarting = false
      }
      updateStreamLimit(limit)
    case .data(let stream, let bytes):
      inFlight.update(stream) { $0.answer.receive(bytes) }
      // The peer might never end the stream.
      guard inFlight[stream]?.answer.isCut == true, let ended = inFlight.remove(stream)
      else { return }
      effects.append(settle(ended, on: stream, "APNs sent a body without a status", code: nil))
      effects.append(.ended(stream: stream))
    case .end, .pong: break
    case .settings:
      if !awaitsAnswer { isStarting = false }
      updateStreamLimit(limit)
    case .goAway(let last, let code, let debugData):
      // A second GOAWAY may lower the number, and must not raise it (RFC 9113 section 6.8).
      lastProcessed = min(last, lastProcessed ?? last)
      retire("APNs closed the connection: \(Self.reason(debugData) ?? code.description)")
    case .closed(let stream, let code):
      guard let ended = inFlight.remove(stream) else { return }
      if ended.answer.status != nil {
        effects.append(.finished(ended.push, .answered(ended.answer)))
        return
      }
      let why = code == .noError ? "sent no status" : "reset the request: \(code)"
      effects.append(settle(ended, on: stream, "APNs \(why)", code: code))
    }
  }

  private static func reason(_ debugData: [UInt8]) -> String? {
    (try? JSONValue(parsing: Data(debugData)))?.reason
  }

  private mutating func updateStreamLimit(_ limit: Int?) {
    streamLimit = min(limit ?? Self.maxStreams, isStarting ? 1 : Self.maxStreams)
  }

  /// The connection was lost: settles the pushes in flight, in the order in which they were sent.
  mutating func lost(_ message: String) -> [Effect] {
    retire(message)
    let ended = inFlight.elements.sorted { $0.stream < $1.stream }
    inFlight = StreamTable()
    return ended.map { stream, push in settle(push, on: stream, message, code: nil) }
  }

  /// Removes pushes that have reached their deadline, and returns their streams and results.
  ///
  /// A push whose status has come is answered, even if the answer has not ended.
  mutating func expire(
    _ pushes: Set<PushKey>, _ message: String
  ) -> [(stream: Int32, push: PushReference, result: PushResult)] {
    let expired = inFlight.elements.filter { pushes.contains(PushKey($0.value.push)) }
    for (stream, _) in expired { inFlight.remove(stream) }
    return expired.map { stream, ended in
      let isAnswered = ended.answer.status != nil
      return (stream, ended.push, isAnswered ? .answered(ended.answer) : .maybeSent(message))
    }
  }

  private func settle(
    _ ended: InFlight, on stream: Int32, _ message: String, code: HTTP2ErrorCode?
  ) -> Effect {
    if ended.answer.status != nil { return .finished(ended.push, .answered(ended.answer)) }
    let isUnprocessed = code == .refusedStream || lastProcessed.map { stream > $0 } ?? false
    return isUnprocessed ? .refused(ended.push) : .finished(ended.push, .maybeSent(message))
  }
}

/// The batch and index of a push, without how often it was tried.
struct PushKey: Hashable {
  let batch: Int
  let index: Int

  init(_ push: PushReference) {
    batch = push.batch
    index = push.index
  }
}
